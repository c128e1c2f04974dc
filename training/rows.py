"""Puts files of rows (`trilith data rows`) together: FILE@LEAST-MOST takes what has that many empty squares.

    python3 training/rows.py --out all.bin exact.bin@0-17 judged.bin@18-60
"""

import argparse

import numpy as np

ROW = np.dtype([("own", "<u8"), ("other", "<u8"), ("value", "<i2"), ("margin", "i1"), ("test", "u1")])


def load(text):
    path, _, span = text.partition("@")
    least, most = map(int, (span or "0-60").split("-"))
    rows = np.fromfile(path, ROW)
    empty = 64 - np.bitwise_count(rows["own"] | rows["other"]).astype(np.int64)
    rows = rows[(empty >= least) & (empty <= most)]
    print(f"{path}: {len(rows)} rows with {least} to {most} empty squares")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    np.concatenate([load(file) for file in arguments.files]).tofile(arguments.out)


if __name__ == "__main__":
    main()
