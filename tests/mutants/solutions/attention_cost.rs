//# Counts only the multiplications.
//= half
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Counts one addition fewer than multiplications per cell, since k numbers need only k − 1 additions.
//= classic-1
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (times * rows * columns * (2 * inner - 1)) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Gives the number of cells as bytes, without the four bytes per cell.
//= numbers
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Counts two bytes per number, as in half precision.
//= classic-3
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (2 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Counts what is read but not what is written.
//= classic-0
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Leaves out the bytes of the weights, as if only activations moved.
//= classic-2
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

fn map(rows: usize, width: usize) -> Cost {
    Cost {
        flops: (2 * rows * width * width) as u64,
        bytes: (4 * 2 * rows * width) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = map(batch * target, d_model);
    let key = map(batch * source, d_model);
    let value = map(batch * source, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = map(batch * target, d_model);
    query + key + value + scores + context + output
}
//# Counts reading the weights once per sentence.
//= weights-again
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(batch, target, d_model, d_model);
    let key = product(batch, source, d_model, d_model);
    let value = product(batch, source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(batch, target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Uses all channels in every head for scores and context.
//= wide-heads
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Counts scores and context as one product for all heads together.
//= one-head
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let _ = heads; // they only split the channels
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch, target, d_model, source);
    let context = product(batch, target, source, d_model);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Uses the target's length for the keys and values too, as in self-attention.
//= square
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let _ = source;
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * target, d_model, d_model);
    let value = product(1, batch * target, d_model, d_model);
    let scores = product(batch * heads, target, d_k, target);
    let context = product(batch * heads, target, target, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Applies W_V to the target's tokens.
//= classic-8
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * target, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Applies W_O to the source's tokens.
//=
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * source, d_model, d_model);
    query + key + value + scores + context + output
}
//# Leaves W_O out.
//= no-output
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    query + key + value + scores + context
}
//# Forgets the product of weights and values.
//= classic-4
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + output
}
//# Forgets the batch in scores and context.
//= classic-5
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(heads, target, d_k, source);
    let context = product(heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Gives every head full maps, d_model by d_model, instead of its part of one.
//= classic-7
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(heads, batch * target, d_model, d_model);
    let key = product(heads, batch * source, d_model, d_model);
    let value = product(heads, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Makes every head read the input again through its own narrow map.
//=
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(heads, batch * target, d_model, d_k);
    let key = product(heads, batch * source, d_model, d_k);
    let value = product(heads, batch * source, d_model, d_k);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Counts the maps of only one head, [d_model, d_k], instead of all.
//= classic-6
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_k);
    let key = product(1, batch * source, d_model, d_k);
    let value = product(1, batch * source, d_model, d_k);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Makes keys and values with a single product, because both read the same tokens.
//=
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + scores + context + output
}
//# Does not move the scores to memory and back, like fused attention.
//=
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let output = product(1, batch * target, d_model, d_model);
    // scores and context: reads queries, keys and values, writes the context
    let mixing = Cost {
        flops: (4 * batch * heads * target * source * d_k) as u64,
        bytes: (4 * batch * heads * (2 * target * d_k + 2 * source * d_k)) as u64,
    };
    query + key + value + mixing + output
}
//# Counts forward and backward pass, three times the cost of the forward pass.
//=
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    let forward = query + key + value + scores + context + output;
    forward + forward + forward
}
//# Confuses the width of a head with the number of heads.
//=
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * (d_model / heads), target, d_k, source);
    let context = product(batch * (d_model / heads), target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Counts scores between pairs of target tokens, though the values come from the source.
//= square
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, target);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Counts a multiplication and its addition as one operation.
//= half
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    Cost {
        flops: (times * rows * inner * columns) as u64,
        bytes: (4 * times * (rows * inner + inner * columns + rows * columns)) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = key;
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Counts reading every weight matrix once per sentence of the batch.
//= weights-again
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * (rows * inner + inner * columns + rows * columns)) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(batch, target, d_model, d_model);
    let key = product(batch, source, d_model, d_model);
    let value = product(batch, source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(batch, target, d_model, d_model);
    query + key + value + scores + context + output
}
//# Applies W_O to the source tokens, like W_K and W_V, though the context has one row per target token.
//=
use transformer_tutor::transformer::cost::Cost;

fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * (rows * inner + inner * columns + rows * columns)) as u64,
    }
}

pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let d_k = d_model / heads;
    let query = product(1, batch * target, d_model, d_model);
    let key = product(1, batch * source, d_model, d_model);
    let value = product(1, batch * source, d_model, d_model);
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    let output = product(1, batch * source, d_model, d_model);
    query + key + value + scores + context + output
}
