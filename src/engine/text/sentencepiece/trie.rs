//! A trie, which finds the stored byte strings that a text begins with.

/// A tree in which every path spells a string.
#[derive(Debug)]
pub struct Trie {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    /// Number of the string that ends here.
    value: Option<u32>,
    /// Children, sorted by their byte.
    below: Vec<(u8, u32)>,
}

impl Default for Trie {
    fn default() -> Self {
        Self {
            nodes: vec![Node::new()],
        }
    }
}

impl Node {
    fn new() -> Self {
        Self {
            value: None,
            below: Vec::new(),
        }
    }

    fn child(&self, byte: u8) -> Result<usize, usize> {
        let index = self.below.binary_search_by_key(&byte, |(byte, _)| *byte);
        index.map(|n| self.below[n].1 as usize)
    }
}

impl Trie {
    /// Gives `key` the number `value` and returns its previous one.
    pub fn insert(&mut self, key: &[u8], value: u32) -> Option<u32> {
        let mut node = 0;
        for &byte in key {
            node = match self.nodes[node].child(byte) {
                Ok(child) => child,
                Err(index) => {
                    let child = self.nodes.len();
                    self.nodes.push(Node::new());
                    self.nodes[node].below.insert(index, (byte, child as u32));
                    child
                }
            };
        }
        self.nodes[node].value.replace(value)
    }

    /// Number of the string `key`.
    pub fn exact(&self, key: &[u8]) -> Option<u32> {
        let step = |node: usize, byte: &u8| self.nodes[node].child(*byte).ok();
        let node = key.iter().try_fold(0, step)?;
        self.nodes[node].value
    }

    /// Strings that `text` begins with, shortest first, as their lengths and numbers.
    pub fn prefixes<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = (usize, u32)> + 'a {
        let mut node = 0;
        let walk = text.iter().enumerate().map_while(move |(n, &byte)| {
            node = self.nodes[node].child(byte).ok()?;
            Some((n + 1, self.nodes[node].value))
        });
        walk.filter_map(|(length, value)| Some((length, value?)))
    }
}
