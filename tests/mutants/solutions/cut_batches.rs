//# Considers only the source for the longest side.
//= classic-0
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, _)) in lengths.iter().enumerate() {
        let length = source;
        let with = longest.max(length);
        match batches.last_mut() {
            Some(batch) if with * (batch.len() + 1) <= tokens => {
                batch.push(i);
                longest = with;
            }
            _ => {
                batches.push(vec![i]);
                longest = length;
            }
        }
    }
    batches
}

//# Uses the sum of source and target as the length of a pair.
//= classic-1
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source + target;
        let with = longest.max(length);
        match batches.last_mut() {
            Some(batch) if with * (batch.len() + 1) <= tokens => {
                batch.push(i);
                longest = with;
            }
            _ => {
                batches.push(vec![i]);
                longest = length;
            }
        }
    }
    batches
}

//# Never resets the longest side: it is the longest of all pairs so far, not of those in the batch.
//= classic-2
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        let with = longest.max(length);
        match batches.last_mut() {
            Some(batch) if with * (batch.len() + 1) <= tokens => {
                batch.push(i);
                longest = with;
            }
            _ => {
                batches.push(vec![i]);
                longest = with;
            }
        }
    }
    batches
}

//# Cuts even a batch with exactly as many cells as allowed.
//= classic-3
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        let with = longest.max(length);
        match batches.last_mut() {
            Some(batch) if with * (batch.len() + 1) < tokens => {
                batch.push(i);
                longest = with;
            }
            _ => {
                batches.push(vec![i]);
                longest = length;
            }
        }
    }
    batches
}

//# Computes the cells with the length of only the newest pair, as if the pairs were sorted.
//= classic-4
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        let with = length;
        match batches.last_mut() {
            Some(batch) if with * (batch.len() + 1) <= tokens => {
                batch.push(i);
            }
            _ => {
                batches.push(vec![i]);
            }
        }
    }
    batches
}

//# Counts the pairs of the batch without the one about to be added.
//= classic-5
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        let with = longest.max(length);
        match batches.last_mut() {
            Some(batch) if with * batch.len() <= tokens => {
                batch.push(i);
                longest = with;
            }
            _ => {
                batches.push(vec![i]);
                longest = length;
            }
        }
    }
    batches
}

//# Limits the number of sentences of a batch instead of its cells.
//= classic-6
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for i in 0..lengths.len() {
        match batches.last_mut() {
            Some(batch) if batch.len() < tokens => {
                batch.push(i);
            }
            _ => {
                batches.push(vec![i]);
            }
        }
    }
    batches
}

//# Drops pairs that are longer than the limit.
//= classic-7
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        if length > tokens {
            continue;
        }
        let with = longest.max(length);
        match batches.last_mut() {
            Some(batch) if with * (batch.len() + 1) <= tokens => {
                batch.push(i);
                longest = with;
            }
            _ => {
                batches.push(vec![i]);
                longest = length;
            }
        }
    }
    batches
}

//# Sums the lengths of the pairs as if nothing were padded.
//= words-not-cells
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut cells = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        match batches.last_mut() {
            Some(batch) if cells + length <= tokens => {
                batch.push(i);
                cells += length;
            }
            _ => {
                batches.push(vec![i]);
                cells = length;
            }
        }
    }
    batches
}

//# Forgets the batch that is still open after the last pair.
//= last-lost
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches = Vec::new();
    let mut batch: Vec<usize> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        if !batch.is_empty() && longest.max(length) * (batch.len() + 1) > tokens {
            batches.push(batch);
            batch = Vec::new();
            longest = 0;
        }
        longest = longest.max(length);
        batch.push(i);
    }
    batches
}

//# Closes the batch before a pair that does not fit, even if the batch is still empty.
//= classic-9
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches = Vec::new();
    let mut batch: Vec<usize> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        if longest.max(length) * (batch.len() + 1) > tokens {
            batches.push(batch);
            batch = Vec::new();
            longest = 0;
        }
        longest = longest.max(length);
        batch.push(i);
    }
    if !batch.is_empty() {
        batches.push(batch);
    }
    batches
}

//# Sorts the pairs by length first, although they must be cut in order.
//= classic-8
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&i| lengths[i].0.max(lengths[i].1));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for i in order {
        let length = lengths[i].0.max(lengths[i].1);
        match batches.last_mut() {
            Some(batch) if length * (batch.len() + 1) <= tokens => batch.push(i),
            _ => batches.push(vec![i]),
        }
    }
    batches
}

//# Puts a pair into any earlier batch that still has room, so that batches are not contiguous.
//=
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for i in 0..lengths.len() {
        let length = |n: usize| lengths[n].0.max(lengths[n].1);
        let fits = |batch: &Vec<usize>| {
            let longest = batch.iter().map(|&n| length(n)).max().unwrap_or(0);
            longest.max(length(i)) * (batch.len() + 1) <= tokens
        };
        match batches.iter().position(fits) {
            Some(place) => batches[place].push(i),
            None => batches.push(vec![i]),
        }
    }
    batches
}

//# Gives all batches the same number of sentences, which the longest pair of the whole list allows.
//=
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let longest = lengths.iter().map(|pair| pair.0.max(pair.1)).max();
    let each = (tokens / longest.unwrap_or(1).max(1)).max(1);
    let numbers: Vec<usize> = (0..lengths.len()).collect();
    numbers.chunks(each).map(|batch| batch.to_vec()).collect()
}

//# Sums the longer sides of the pairs, without padding, instead of the padded cells: longest times number.
//= words-not-cells
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut cells = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        match batches.last_mut() {
            Some(batch) if cells + length <= tokens => {
                batch.push(i);
                cells += length;
            }
            _ => {
                batches.push(vec![i]);
                cells = length;
            }
        }
    }
    batches
}
//# Keeps the longest length of earlier batches when a new batch starts.
//= classic-2
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        longest = longest.max(source).max(target);
        match batches.last_mut() {
            Some(batch) if longest * (batch.len() + 1) <= tokens => batch.push(i),
            _ => batches.push(vec![i]),
        }
    }
    batches
}
//# Sorts the pairs by length first, as bucketing data loaders do, so that the batches are not contiguous.
//= classic-8
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let side = |i: usize| lengths[i].0.max(lengths[i].1);
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&i| side(i));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for i in order {
        let length = side(i);
        match batches.last_mut() {
            Some(batch) if longest.max(length) * (batch.len() + 1) <= tokens => {
                batch.push(i);
                longest = longest.max(length);
            }
            _ => {
                batches.push(vec![i]);
                longest = length;
            }
        }
    }
    batches
}
