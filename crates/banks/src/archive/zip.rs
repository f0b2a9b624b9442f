//! A zip archive as it lies in a file: its members are read within a limit, and written
//! back so that every other member keeps its bytes, its header and its place.
//!
//! | refused | because |
//! |---|---|
//! | a member with a password | it cannot be read |
//! | `../a`, `/a`, `C:\a` | it would lie outside the folder that it is unpacked to |
//! | a link | it leads to another file |
//! | two members of one name | programs disagree on which of them counts |
//! | members that share bytes, a name that its header does not repeat | such archives are made to deceive |
//! | zip64, several volumes | nobody packs questions so |
//!
//! What the members say is not known here. Nothing is unpacked to the disk.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::ops::Range;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::ArchiveError;

const LOCAL: &[u8] = b"PK\x03\x04";
const RECORD: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const LOCAL_LENGTH: usize = 30;
const RECORD_LENGTH: usize = 46;
const END_LENGTH: usize = 22;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// A flag: the sizes stand after the data.
const SIZES_AFTER: u16 = 1 << 3;

pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(LOCAL) || bytes.starts_with(END)
}

/// A file in an archive.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    flags: u16,
    method: u16,
    checksum: u32,
    size: usize,
    /// From its header to the next one.
    whole: Range<usize>,
    data: Range<usize>,
    /// Its record in the directory at the end.
    record: Range<usize>,
}

/// An archive that was looked through.
#[derive(Debug)]
pub(crate) struct Archive<'a> {
    bytes: &'a [u8],
    pub(crate) members: Vec<Member>,
    directory: Range<usize>,
}

impl<'a> Archive<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, ArchiveError> {
        let end = end_of_directory(bytes).ok_or(ArchiveError::Damaged("its directory"))?;
        let disk = short(bytes, end + 4)?;
        let count = usize::from(short(bytes, end + 10)?);
        let (length, start) = (long(bytes, end + 12)?, long(bytes, end + 16)?);
        if count == 0xFFFF || length == u32::MAX || start == u32::MAX {
            return Err(ArchiveError::Zip64);
        }
        if disk != 0 || short(bytes, end + 8)? != short(bytes, end + 10)? {
            return Err(ArchiveError::Volumes);
        }
        let (start, length) = (wide(start), wide(length));
        if start.checked_add(length) != Some(end) {
            return Err(ArchiveError::Damaged("its directory"));
        }
        let mut archive = Self {
            bytes,
            members: Vec::new(),
            directory: start..end,
        };
        let mut at = start;
        for _ in 0..count {
            let member = archive.member(at)?;
            at = member.record.end;
            archive.members.push(member);
        }
        if at != end {
            return Err(ArchiveError::Damaged("its directory"));
        }
        archive.check()?;
        Ok(archive)
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }

    /// The member whose record stands at an offset.
    fn member(&self, at: usize) -> Result<Member, ArchiveError> {
        let bytes = self.bytes;
        let damaged = || ArchiveError::Damaged("its directory");
        if !starts_with(bytes, at, RECORD) {
            return Err(damaged());
        }
        let name_length = usize::from(short(bytes, at + 28)?);
        let more = usize::from(short(bytes, at + 30)?) + usize::from(short(bytes, at + 32)?);
        let record = at..at + RECORD_LENGTH + name_length + more;
        let name_bytes = bytes
            .get(at + RECORD_LENGTH..at + RECORD_LENGTH + name_length)
            .filter(|_| record.end <= self.directory.end)
            .ok_or_else(damaged)?;
        let name = String::from_utf8_lossy(name_bytes).into_owned();
        let flags = short(bytes, at + 8)?;
        let (packed, size) = (long(bytes, at + 20)?, long(bytes, at + 24)?);
        let local = long(bytes, at + 42)?;
        if packed == u32::MAX || size == u32::MAX || local == u32::MAX {
            return Err(ArchiveError::Zip64);
        }
        if flags & 1 != 0 {
            return Err(ArchiveError::Encrypted(name));
        }
        // The mode of a file stands above the attributes of MS-DOS, if Unix packed it.
        let mode = long(bytes, at + 38)? >> 16;
        if short(bytes, at + 4)? >> 8 == 3 && mode & 0o170_000 == 0o120_000 {
            return Err(ArchiveError::Link(name));
        }
        let local = wide(local);
        if !starts_with(bytes, local, LOCAL) {
            return Err(ArchiveError::Damaged("the header of a file in it"));
        }
        let own_length = usize::from(short(bytes, local + 26)?);
        let extra = usize::from(short(bytes, local + 28)?);
        let own = bytes.get(local + LOCAL_LENGTH..local + LOCAL_LENGTH + own_length);
        if own != Some(name_bytes) {
            return Err(ArchiveError::TwoNames(name));
        }
        let start = local + LOCAL_LENGTH + own_length + extra;
        let data = start..start + wide(packed);
        Ok(Member {
            name,
            flags,
            method: short(bytes, at + 10)?,
            checksum: long(bytes, at + 16)?,
            size: wide(size),
            whole: local..data.end,
            data,
            record,
        })
    }

    /// Names and places of all members.
    fn check(&mut self) -> Result<(), ArchiveError> {
        let mut names = BTreeSet::new();
        for member in &self.members {
            if leads_outside(&member.name) {
                return Err(ArchiveError::UnsafeName(member.name.clone()));
            }
            if !names.insert(member.name.as_str()) {
                return Err(ArchiveError::SameName(member.name.clone()));
            }
        }
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        order.sort_by_key(|index| self.members.get(*index).map(|member| member.whole.start));
        for (position, index) in order.iter().enumerate() {
            let next = order
                .get(position + 1)
                .and_then(|next| self.members.get(*next));
            let end = next.map_or(self.directory.start, |next| next.whole.start);
            let Some(member) = self.members.get_mut(*index) else {
                continue;
            };
            if member.data.end > end {
                return Err(ArchiveError::Overlapping(member.name.clone()));
            }
            member.whole.end = end;
        }
        Ok(())
    }

    /// What a member holds, if that is not more than `most` bytes.
    pub(crate) fn unpack(&self, member: &Member, most: u64) -> Result<Vec<u8>, ArchiveError> {
        let damaged = || ArchiveError::DamagedMember(member.name.clone());
        let data = self.bytes.get(member.data.clone()).ok_or_else(damaged)?;
        if member.size as u64 > most {
            return Err(ArchiveError::TooLarge(most));
        }
        let mut content = Vec::new();
        match member.method {
            STORED => content.extend_from_slice(data),
            // One byte more than was promised shows that the promise was a lie.
            DEFLATED => {
                DeflateDecoder::new(data)
                    .take(member.size as u64 + 1)
                    .read_to_end(&mut content)
                    .map_err(|_| damaged())?;
            }
            _ => return Err(ArchiveError::Method(member.name.clone())),
        }
        if content.len() != member.size || checksum(&content) != member.checksum {
            return Err(damaged());
        }
        Ok(content)
    }

    /// The archive with other content in some members, by their names.
    pub(crate) fn with(&self, changed: &[(String, Vec<u8>)]) -> Result<Vec<u8>, ArchiveError> {
        let mut out = Vec::with_capacity(self.bytes.len());
        let mut order: Vec<&Member> = self.members.iter().collect();
        order.sort_by_key(|member| member.whole.start);
        let first = order
            .first()
            .map_or(self.directory.start, |member| member.whole.start);
        out.extend_from_slice(self.part(0..first));
        let mut records: Vec<(usize, Vec<u8>)> = Vec::new();
        for member in order {
            let offset = small(out.len())?;
            let mut record = self.part(member.record.clone()).to_vec();
            let new = changed.iter().find(|(name, _)| *name == member.name);
            if let Some((_, content)) = new {
                let packed = self.write(member, content, &mut out)?;
                put(&mut record, 8, &(member.flags & !SIZES_AFTER).to_le_bytes());
                put(&mut record, 16, &checksum(content).to_le_bytes());
                put(&mut record, 20, &small(packed)?.to_le_bytes());
                put(&mut record, 24, &small(content.len())?.to_le_bytes());
            } else {
                out.extend_from_slice(self.part(member.whole.clone()));
            }
            put(&mut record, 42, &offset.to_le_bytes());
            records.push((member.record.start, record));
        }
        let start = small(out.len())?;
        // The directory may have another order than the data.
        records.sort_by_key(|(place, _)| *place);
        records
            .iter()
            .for_each(|(_, record)| out.extend_from_slice(record));
        let mut end = self.part(self.directory.end..self.bytes.len()).to_vec();
        put(&mut end, 16, &start.to_le_bytes());
        out.extend_from_slice(&end);
        Ok(out)
    }

    /// Writes a member with other content; returns how long it is packed.
    fn write(
        &self,
        member: &Member,
        content: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<usize, ArchiveError> {
        let packed = if member.method == DEFLATED {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            // Writing to memory does not fail.
            let _ = encoder.write_all(content);
            encoder.finish().unwrap_or_default()
        } else {
            content.to_vec()
        };
        let mut header = self.part(member.whole.start..member.data.start).to_vec();
        put(&mut header, 6, &(member.flags & !SIZES_AFTER).to_le_bytes());
        put(&mut header, 14, &checksum(content).to_le_bytes());
        put(&mut header, 18, &small(packed.len())?.to_le_bytes());
        put(&mut header, 22, &small(content.len())?.to_le_bytes());
        out.extend_from_slice(&header);
        out.extend_from_slice(&packed);
        Ok(packed.len())
    }

    fn part(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }
}

/// Where the record stands that ends an archive: after the directory, before a comment.
fn end_of_directory(bytes: &[u8]) -> Option<usize> {
    const LONGEST_COMMENT: usize = 0xFFFF;
    let last = bytes.len().checked_sub(END_LENGTH)?;
    (last.saturating_sub(LONGEST_COMMENT)..=last)
        .rev()
        .find(|at| {
            let comment = short(bytes, at + 20).map(usize::from);
            starts_with(bytes, *at, END)
                && comment.is_ok_and(|length| at + END_LENGTH + length == bytes.len())
        })
}

/// Whether a name leads out of the folder that the archive is unpacked to.
fn leads_outside(name: &str) -> bool {
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    has_drive
        || name.starts_with(['/', '\\'])
        || name.contains(char::is_control)
        || name.split(['/', '\\']).any(|step| step == "..")
}

fn checksum(content: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(content);
    crc.sum()
}

fn starts_with(bytes: &[u8], at: usize, signature: &[u8]) -> bool {
    bytes
        .get(at..)
        .is_some_and(|rest| rest.starts_with(signature))
}

fn short(bytes: &[u8], at: usize) -> Result<u16, ArchiveError> {
    let number = bytes.get(at..at + 2).and_then(|two| two.try_into().ok());
    number
        .map(u16::from_le_bytes)
        .ok_or(ArchiveError::Damaged("its end"))
}

fn long(bytes: &[u8], at: usize) -> Result<u32, ArchiveError> {
    let number = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    number
        .map(u32::from_le_bytes)
        .ok_or(ArchiveError::Damaged("its end"))
}

fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn small(number: usize) -> Result<u32, ArchiveError> {
    u32::try_from(number)
        .ok()
        .filter(|number| *number != u32::MAX)
        .ok_or(ArchiveError::Zip64)
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    if let Some(place) = bytes.get_mut(at..at + value.len()) {
        place.copy_from_slice(value);
    }
}
