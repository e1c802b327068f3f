//! Files of SentencePiece models: the protocol buffer `ModelProto` of sentencepiece_model.proto.

/// Name of the normalisation in files that this program writes for others.
const OWN: &[u8] = b"transformer-tutor";

/// Contents of a model's file, as far as they are used.
#[derive(Debug)]
pub struct Model {
    pub pieces: Vec<Piece>,
    /// Number of the kind, which says how text is cut.
    kind: u64,
    /// True if characters without a piece are spelled as the bytes of their UTF-8.
    pub byte_fallback: bool,
    /// True if the blank comes after a word instead of before it.
    pub blank_behind: bool,
    /// Compiled normalisation; empty if there is none.
    pub charsmap: Vec<u8>,
    /// True if that is the one which this program adds for others, see [`write_normalising`].
    pub for_others: bool,
    /// True if a blank is put in front of every line.
    pub dummy_prefix: bool,
    /// True if runs of blanks become one, and blanks at the ends are removed.
    pub remove_extra_blanks: bool,
    /// True if blanks are written as [`super::BLANK`].
    pub escape_blanks: bool,
    /// True if text is changed after decoding.
    denormalizes: bool,
}

/// How a model cuts text into pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Into the likeliest pieces (Kudo 2018).
    Unigram,
    /// By merging neighbours, those with the best score first (Sennrich et al. 2016).
    Bpe,
}

#[derive(Debug)]
pub struct Piece {
    pub text: String,
    /// Logarithm of its probability.
    pub score: f32,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

impl Model {
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut model = Self {
            pieces: Vec::new(),
            kind: 1,
            byte_fallback: false,
            blank_behind: false,
            charsmap: Vec::new(),
            for_others: false,
            dummy_prefix: true,
            remove_extra_blanks: true,
            escape_blanks: true,
            denormalizes: false,
        };
        for field in Fields(bytes) {
            match field? {
                (1, Value::Bytes(bytes)) => {
                    let n = model.pieces.len();
                    let piece =
                        Piece::parse(bytes).map_err(|why| format!("its piece {n}: {why}"))?;
                    model.pieces.push(piece);
                }
                (2, Value::Bytes(trainer)) => model.trainer(trainer)?,
                (3, Value::Bytes(normalizer)) => model.normalizer(normalizer)?,
                (5, Value::Bytes(denormalizer)) => {
                    for field in Fields(denormalizer) {
                        if let (2, Value::Bytes(map)) = field? {
                            model.denormalizes = !map.is_empty();
                        }
                    }
                }
                _ => {}
            }
        }
        if model.pieces.is_empty() {
            return Err("it has no pieces, so it is not a SentencePiece model".to_owned());
        }
        Ok(model)
    }

    fn trainer(&mut self, bytes: &[u8]) -> Result<(), String> {
        for field in Fields(bytes) {
            match field? {
                (3, Value::Number(kind)) => self.kind = kind,
                (24, Value::Number(behind)) => self.blank_behind = behind != 0,
                (35, Value::Number(falls)) => self.byte_fallback = falls != 0,
                _ => {}
            }
        }
        Ok(())
    }

    fn normalizer(&mut self, bytes: &[u8]) -> Result<(), String> {
        for field in Fields(bytes) {
            match field? {
                (1, Value::Bytes(name)) => self.for_others = name == OWN,
                (2, Value::Bytes(map)) => self.charsmap = map.to_vec(),
                (3, Value::Number(x)) => self.dummy_prefix = x != 0,
                (4, Value::Number(x)) => self.remove_extra_blanks = x != 0,
                (5, Value::Number(x)) => self.escape_blanks = x != 0,
                _ => {}
            }
        }
        Ok(())
    }

    /// How the model cuts text. Returns an error for a model that would not be read faithfully.
    pub fn readable(&self) -> Result<Cut, String> {
        let cut = match self.kind {
            1 => Cut::Unigram,
            2 => Cut::Bpe,
            3 | 4 => {
                return Err(
                    "it cuts text into words or characters; only unigram and BPE models are read, so use transformers for \
                     this one"
                        .to_owned(),
                );
            }
            _ => return Err("it is of a kind that SentencePiece does not have".to_owned()),
        };
        if self.denormalizes {
            return Err(
                "it changes text after decoding (denormalizer_spec), which is not read".to_owned(),
            );
        }
        if !self.pieces.iter().any(|p| p.kind == Kind::Normal) {
            return Err("none of its pieces stands for text".to_owned());
        }
        Ok(cut)
    }
}

impl Piece {
    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut piece = Self {
            text: String::new(),
            score: 0.0,
            kind: Kind::Normal,
        };
        for field in Fields(bytes) {
            match field? {
                (1, Value::Bytes(text)) => {
                    let text = std::str::from_utf8(text);
                    piece.text = text.map_err(|_| "it is not UTF-8")?.to_owned();
                }
                (2, Value::Word(bits)) => piece.score = f32::from_bits(bits),
                (3, Value::Number(kind)) => {
                    piece.kind = match kind {
                        1 => Kind::Normal,
                        2 => Kind::Unknown,
                        3 => Kind::Control,
                        4 => Kind::UserDefined,
                        5 => Kind::Unused,
                        6 => Kind::Byte,
                        _ => return Err(format!("its kind {kind} is none of SentencePiece's")),
                    }
                }
                _ => {}
            }
        }
        if !piece.score.is_finite() {
            return Err(format!("its score is {}", piece.score));
        }
        Ok(piece)
    }
}

/// Serialises a unigram model with these pieces; see [`write_cut`].
pub fn write(pieces: &[(String, f32)]) -> Vec<u8> {
    write_cut(pieces, Cut::Unigram)
}

/// The same model, which normalises as this program does itself before it segments.
pub fn write_normalising(pieces: &[(String, f32)], charsmap: &[u8]) -> Vec<u8> {
    written(pieces, Cut::Unigram, (OWN, charsmap))
}

/// Serialises a model with these pieces, after SentencePiece's own three special ones. The model changes no character,
/// makes runs of blanks one, and puts a blank in front of every line.
pub fn write_cut(pieces: &[(String, f32)], cut: Cut) -> Vec<u8> {
    written(pieces, cut, (b"identity", &[]))
}

fn written(pieces: &[(String, f32)], cut: Cut, (name, charsmap): (&[u8], &[u8])) -> Vec<u8> {
    let specials = [("<unk>", 2), ("<s>", 3), ("</s>", 3)];
    let specials = specials.map(|(text, kind)| (text, 0.0, kind));
    let pieces = pieces
        .iter()
        .map(|(text, score)| (text.as_str(), *score, 1));
    let mut file = Vec::new();
    let all = specials.into_iter().chain(pieces);
    let mut count = 0;
    for (text, score, kind) in all {
        let mut piece = Vec::new();
        put_bytes(&mut piece, 1, text.as_bytes());
        put_number(&mut piece, 2 << 3 | 5);
        piece.extend(f32::to_le_bytes(score));
        put(&mut piece, 3, kind);
        put_bytes(&mut file, 1, &piece);
        count += 1;
    }
    let mut trainer = Vec::new();
    put(&mut trainer, 3, if cut == Cut::Bpe { 2 } else { 1 });
    put(&mut trainer, 4, count);
    put_bytes(&mut file, 2, &trainer);
    let mut normalizer = Vec::new();
    put_bytes(&mut normalizer, 1, name);
    if !charsmap.is_empty() {
        put_bytes(&mut normalizer, 2, charsmap);
    }
    for switch in [3, 4, 5] {
        put(&mut normalizer, switch, 1);
    }
    put_bytes(&mut file, 3, &normalizer);
    file
}

fn put(message: &mut Vec<u8>, field: u64, number: u64) {
    put_number(message, field << 3);
    put_number(message, number);
}

fn put_bytes(message: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_number(message, field << 3 | 2);
    put_number(message, bytes.len() as u64);
    message.extend(bytes);
}

fn put_number(message: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        message.push(number as u8 | 128);
        number >>= 7;
    }
    message.push(number as u8);
}

/// Fields of a message as numbers and values, in the order of the bytes.
struct Fields<'a>(&'a [u8]);

enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Word(u32),
    /// Eight bytes; no field that is used.
    Long,
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field.ok_or_else(|| "it is cut short, or no protocol buffer".to_owned()))
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Option<(u64, Value<'a>)> {
        let key = self.number()?;
        let value = match key & 7 {
            0 => Value::Number(self.number()?),
            1 => {
                self.take(8)?;
                Value::Long
            }
            2 => {
                let length = usize::try_from(self.number()?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Word(u32::from_le_bytes(self.take(4)?.try_into().ok()?)),
            _ => return None,
        };
        Some((key >> 3, value))
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// Reads a number with seven bits per byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.take(1)?.first()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }
}
