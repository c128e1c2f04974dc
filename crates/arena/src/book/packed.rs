//! Packed books (`.zst`): small enough to be shipped, unpacked where the program keeps its files when first played from.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use trilith_base::files;
use trilith_book::BookError;

/// How hard to pack: as small as it gets in seconds.
const LEVEL: i32 = 19;

/// No shipped book has a fifth of it.
const LARGEST: u64 = 1 << 30;

/// Whether a book is packed, by its name.
pub fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "zst")
}

/// Packs the book at `plain` and removes it.
pub fn pack(plain: &Path, packed: &Path) -> Result<(), BookError> {
    let bytes = fs::read(plain).map_err(|source| fault(plain, source))?;
    let bytes = zstd::encode_all(&bytes[..], LEVEL).map_err(|source| fault(plain, source))?;
    files::write_whole(packed, &bytes).map_err(|source| fault(packed, source))?;
    fs::remove_file(plain).map_err(|source| fault(plain, source))
}

/// Where the book packed in `packed` lies unpacked, in `books` of `home`; unpacks it if it is not there. The name has a
/// hash of the packed file, so that another one of the same name is another book.
pub fn unpacked(packed: &Path, home: &Path) -> Result<PathBuf, BookError> {
    let bytes = fs::read(packed).map_err(|source| fault(packed, source))?;
    let name = packed.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let hash = blake3::hash(&bytes).to_hex();
    let path = home.join("books").join(format!("{}-{name}", &hash[..16]));
    if !path.exists() {
        fs::create_dir_all(home.join("books")).map_err(|source| fault(home, source))?;
        unpack(&bytes, &path).map_err(|source| fault(packed, source))?;
    }
    Ok(path)
}

/// Unpacks to a file, never into memory, and no more than a book can have.
fn unpack(bytes: &[u8], path: &Path) -> io::Result<()> {
    let part = path.with_extension("part");
    let mut file = fs::File::create(&part)?;
    let copied =
        zstd::Decoder::with_buffer(bytes).and_then(|plain| io::copy(&mut plain.take(LARGEST + 1), &mut file));
    let whole = copied.and_then(|size| match size > LARGEST {
        true => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("unpacked it has more than {LARGEST} bytes"),
        )),
        false => file.sync_all(),
    });
    let done = whole.and_then(|()| files::rename_whole(&part, path));
    if done.is_err() {
        let _ = fs::remove_file(&part);
    }
    done
}

fn fault(path: &Path, source: io::Error) -> BookError {
    BookError::File { path: path.into(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_book::{Book, BookMode};
    use trilith_games::othello::Othello;

    #[test]
    fn a_packed_book_is_unpacked_once_and_is_the_same() {
        let folder = std::env::temp_dir().join(format!("trilith-packed-book-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (plain, packed) = (folder.join("x.book"), folder.join("x.book.zst"));
        drop(Book::create(&plain, &Othello::default(), false).unwrap());
        let bytes = fs::read(&plain).unwrap();
        pack(&plain, &packed).unwrap();
        assert!(is_packed(&packed) && !plain.exists());
        let path = unpacked(&packed, &folder).unwrap();
        assert!(fs::read(&path).unwrap() == bytes && path.ends_with(path.file_name().unwrap()));
        assert_eq!(unpacked(&packed, &folder).unwrap(), path);
        assert!(Book::open(&path, BookMode::Read).is_ok());
        // Two gibibytes of nothing in some hundred kilobytes.
        let nothing = io::repeat(0).take(2 << 30);
        fs::write(&packed, zstd::encode_all(nothing, 1).unwrap()).unwrap();
        assert!(fs::metadata(&packed).unwrap().len() < 1 << 20);
        assert!(unpacked(&packed, &folder).unwrap_err().to_string().contains("x.book.zst"));
        assert_eq!(fs::read_dir(folder.join("books")).unwrap().count(), 1, "nothing is left of it");
        fs::write(&packed, b"no zstd").unwrap();
        assert!(unpacked(&packed, &folder).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
