"""Weights that S3's author published, as files that Trilith plays with. Needs neither PyTorch nor anything else.

    git clone https://github.com/ThorstenClausing/reversi
    python examples/torch_weights.py reversi/Gewichte/gewichte_v2 v2.safetensors
    trilith match othello --a minimax:depth=1,eval=mlp,file=v2.safetensors --b random --openings start --games 2000

What `torch.save` writes is a ZIP of one pickle and of the numbers of each tensor. The pickle is read by a machine that knows
an ordered dictionary and tensors alone, so no file can run anything. Tensors are told by their order and shapes, whatever their
names. His canonical image is not ours; `form` says which one a network wants: `smallest-rows` (as it was trained in the
thesis) or, with --any, `any`, as its augmented runs did.
"""

import collections
import io
import json
import pickle
import struct
import sys
import zipfile

# Kind: names and shapes of Trilith's tensors, in the order of the author's.
KINDS = {
    "mlp": [
        ("layers.0.weight", (96, 64)), ("layers.0.bias", (96,)),
        ("layers.2.weight", (34, 96)), ("layers.2.bias", (34,)),
        ("layers.4.weight", (1, 34)), ("layers.4.bias", (1,)),
    ],
    "cnn": [
        ("conv.0.weight", (9, 1, 3, 3)), ("conv.0.bias", (9,)),
        ("conv.1.weight", (9, 3, 3, 3)), ("conv.1.bias", (9,)),
        ("dense.0.weight", (300, 576)), ("dense.0.bias", (300,)),
        ("dense.2.weight", (1, 300)), ("dense.2.bias", (1,)),
    ],
}


class Reader(pickle.Unpickler):
    """A pickle of ordered dictionaries and tensors, and of nothing else."""

    KNOWN = {
        ("collections", "OrderedDict"): collections.OrderedDict,
        ("torch._utils", "_rebuild_tensor_v2"): lambda storage, offset, shape, stride, *_: (storage, offset, shape, stride),
        ("torch", "FloatStorage"): "float32",
    }

    def find_class(self, module, name):
        if (module, name) not in self.KNOWN:
            raise pickle.UnpicklingError(f"{module}.{name}: expected tensors of 32-bit numbers alone")
        return self.KNOWN[module, name]

    def persistent_load(self, pid):
        return pid[2]


def tensors(path):
    """Shape and bytes of each tensor, in their order."""
    with zipfile.ZipFile(path) as archive:
        inner = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        folder = inner[: -len("data.pkl")]
        found = Reader(io.BytesIO(archive.read(inner))).load()
        for name, (storage, offset, shape, stride) in found.items():
            expected = tuple(product_of(shape[at + 1:]) for at in range(len(shape)))
            if offset != 0 or tuple(stride) != expected:
                raise ValueError(f"{name}: expected numbers row by row")
            yield tuple(shape), archive.read(f"{folder}data/{storage}")


def product_of(numbers):
    """All of them multiplied."""
    product = 1
    for number in numbers:
        product *= number
    return product


def convert(source, target, form):
    """Writes the weights of `source` to the safetensors file `target`."""
    found = list(tensors(source))
    shapes = [shape for shape, _ in found]
    kind = next((kind for kind, layers in KINDS.items() if [shape for _, shape in layers] == shapes), None)
    if kind is None:
        raise SystemExit(f"{source}: shapes {shapes}, expected those of the thesis' perceptron or its convolutional network")
    header, numbers = {"__metadata__": {"form": form}}, b""
    for (name, shape), (_, data) in zip(KINDS[kind], found):
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(numbers), len(numbers) + len(data)]}
        numbers += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(target, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + numbers)
    print(f"{target}: {kind}, {form}")


def main():
    names = [name for name in sys.argv[1:] if name != "--any"]
    if len(names) != 2:
        raise SystemExit(__doc__)
    convert(*names, "any" if "--any" in sys.argv else "smallest-rows")


if __name__ == "__main__":
    main()
