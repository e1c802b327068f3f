"""The PyTorch side of `transformer-tutor tools bench`: the same models, batches and loss, on the same threads.

    pip install torch
    python benches/pytorch_step.py [--threads 4] [--steps 10]

One line of JSON a size, with the keys of `tools bench --json`. PyTorch's fastest eager form: its own pre-norm Transformer with
its fused attention, the fused loss with label smoothing, and fused Adam.
"""

import argparse
import json
import resource
import statistics
import time

import torch
from torch import nn

# layers, d_model, d_ff, heads, vocabulary, sentences, length
SIZES = {
    "tiny": (4, 128, 256, 4, 9700, 128, 15),
    "small": (3, 256, 512, 8, 8000, 128, 14),
    "base": (6, 512, 2048, 8, 10000, 32, 16),
}


def positions(length, width):
    place = torch.arange(length, dtype=torch.float32).unsqueeze(1)
    rate = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float32) / width)
    return torch.stack((torch.sin(place * rate), torch.cos(place * rate)), dim=2).flatten(1)


class Model(nn.Module):
    def __init__(self, layers, width, inner, heads, words, length):
        super().__init__()
        self.factor = width**0.5
        self.tables = nn.ModuleList([nn.Embedding(words, width) for _ in range(2)])
        self.body = nn.Transformer(width, heads, layers, layers, inner, 0.1, batch_first=True, norm_first=True)
        self.generator = nn.Linear(width, words)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("positions", positions(length, width))

    def forward(self, src, tgt, padding, future):
        x, y = (
            self.dropout(table(ids) * self.factor + self.positions[: ids.shape[1]])
            for table, ids in zip(self.tables, (src, tgt))
        )
        hidden = self.body(
            x, y, tgt_mask=future, src_key_padding_mask=padding, memory_key_padding_mask=padding, tgt_is_causal=True
        )
        return self.generator(hidden)


def measure(name, steps):
    layers, width, inner, heads, words, sentences, length = SIZES[name]
    torch.manual_seed(1)
    model = Model(layers, width, inner, heads, words, length + 1).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9, fused=True)
    loss = nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=0)
    src = torch.randint(3, words, (sentences, length))
    tgt = torch.randint(3, words, (sentences, length + 1))
    padding = torch.zeros(sentences, length)
    future = nn.Transformer.generate_square_subsequent_mask(length)
    seconds = []
    for _ in range(steps + 2):
        begun = time.perf_counter()
        logits = model(src, tgt[:, :-1], padding, future)
        loss(logits.flatten(0, 1), tgt[:, 1:].flatten()).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        seconds.append(time.perf_counter() - begun)
    median = statistics.median(seconds[2:])
    row = {
        "config": name,
        "threads": torch.get_num_threads(),
        "seconds": median,
        "target_tokens_per_second": sentences * length / median,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "torch": torch.__version__,
    }
    print(json.dumps(row), flush=True)


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--threads", type=int)
    options.add_argument("--steps", type=int, default=10)
    options.add_argument("--only", choices=SIZES)
    options = options.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    for name in [options.only] if options.only else SIZES:
        measure(name, options.steps)
