"""Writes a table as CSV: a header, then one row a record, the last column being what is to be predicted."""
import csv


def write_csv(path, header, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        count = 0
        for row in rows:
            if len(row) != len(header):
                raise ValueError(f"{path}: a row has {len(row)} values, the header {len(header)}")
            writer.writerow([plain_number(value) for value in row])
            count += 1
    print(f"{path}  {count} rows, {len(header)} columns  {path.stat().st_size} bytes")


def plain_number(value):
    """1.0 is written as 1, everything else with the shortest digits that read back as the same number."""
    if isinstance(value, str):
        return value
    value = float(value)
    return str(int(value)) if value.is_integer() else repr(value)
