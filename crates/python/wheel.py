"""Packs a library that cargo has built already and the Python files into a wheel, as maturin would.

    python wheel.py target/debug/lib_trilith.so OUT

The tests use it: maturin would build all crates once more, with the features that the wheel alone asks for.
"""

import base64
import hashlib
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent


def main(library: Path, out: Path) -> None:
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    tag = f"cp310-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = f"{name}-{version}.dist-info"
    files = {path.relative_to(HERE / "python").as_posix(): path.read_bytes()
             for path in sorted((HERE / "python" / name).iterdir()) if path.suffix in (".py", ".pyi", ".typed")}
    files[f"{name}/_trilith.abi3.so"] = library.read_bytes()
    needs = "".join(f"Requires-Dist: {need}\n" for need in project["dependencies"])
    files[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
                                 f"Summary: {project['description']}\n{needs}").encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/RECORD"] = "".join([record(path, data) for path, data in files.items()] + [f"{info}/RECORD,,\n"]).encode()
    out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out / f"{name}-{version}-{tag}.whl", "w") as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
    print(wheel.filename)


def record(path: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
