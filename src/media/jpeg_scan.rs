//! Counts the blocks that the scans of a JPEG hold, without decoding them to pixels. Decoders fill
//! missing blocks with grey and report no error.

use super::container_check::next_marker;

/// A Huffman code is at most this long.
const CODE_BITS_MAX: u32 = 16;
/// Index of the last coefficient of a block.
const LAST: usize = 63;

/// Returns the offset behind the data of the last scan, or `None` when blocks are missing.
///
/// `has_end` says whether the end marker follows. Without it, the last scan must be the one that
/// completes every coefficient, because nothing else shows that no scan is missing.
pub(super) fn complete(bytes: &[u8], has_end: bool) -> Option<usize> {
    let mut walk = Walk::default();
    let mut at = 2;
    let mut end = None;
    while let Some((marker, next)) = next_marker(bytes, at) {
        at = next;
        match marker {
            0xD9 => break,
            0x00 | 0x01 | 0xD0..=0xD8 => continue,
            _ => {}
        }
        let length = usize::from(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
        let body = bytes.get(at + 2..at + length)?;
        at += length;
        match marker {
            0xC4 => walk.read_tables(body)?,
            0xC0..=0xC2 => walk.frame = Some(Frame::read(body, marker == 0xC2)?),
            // Arithmetic and lossless coding: left to the decoder.
            0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                return has_end.then_some(bytes.len());
            }
            0xDD => walk.restart_interval = usize::from(u16::from_be_bytes(*body.first_chunk()?)),
            0xDA => {
                let used = walk.scan(body, bytes.get(at..)?)?;
                at += used;
                end = Some(at);
            }
            _ => {}
        }
    }
    let frame = walk.frame?;
    let is_final = |component: &Component| component.exact == u64::MAX;
    (has_end || frame.components.iter().all(is_final))
        .then_some(end)
        .flatten()
}

#[derive(Default)]
struct Walk {
    /// DC and AC tables by their number.
    tables: [[Option<Table>; 4]; 2],
    frame: Option<Frame>,
    /// MCUs between two restart markers; zero without them.
    restart_interval: usize,
}

struct Frame {
    is_progressive: bool,
    /// MCUs of an interleaved scan.
    across: usize,
    down: usize,
    components: Vec<Component>,
}

struct Component {
    id: u8,
    /// Blocks of one MCU.
    across: usize,
    down: usize,
    /// Blocks of a scan of this component alone.
    blocks_across: usize,
    blocks_down: usize,
    /// Blocks of a row, whole MCUs.
    stride: usize,
    /// A bit per coefficient of each block that is not zero, in progressive frames.
    nonzero: Vec<u64>,
    /// A bit per coefficient whose lowest bit was scanned.
    exact: u64,
}

impl Frame {
    fn read(body: &[u8], is_progressive: bool) -> Option<Self> {
        let height = usize::from(u16::from_be_bytes(*body.get(1..)?.first_chunk()?));
        let width = usize::from(u16::from_be_bytes(*body.get(3..)?.first_chunk()?));
        let factors = |specification: &[u8]| {
            let [across, down] = [specification[1] >> 4, specification[1] & 15].map(usize::from);
            (across > 0 && down > 0).then_some((across, down))
        };
        let specifications = || body.get(6..).unwrap_or_default().chunks_exact(3);
        let sampling: Vec<(usize, usize)> = specifications().map(factors).collect::<Option<_>>()?;
        let across_max = sampling.iter().map(|factor| factor.0).max()?;
        let down_max = sampling.iter().map(|factor| factor.1).max()?;
        let (across, down) = (
            width.div_ceil(8 * across_max),
            height.div_ceil(8 * down_max),
        );
        let component = |(specification, (of_mcu, rows)): (&[u8], &(usize, usize))| {
            let stride = across * of_mcu;
            let blocks = if is_progressive {
                stride * down * rows
            } else {
                0
            };
            Component {
                id: specification[0],
                across: *of_mcu,
                down: *rows,
                blocks_across: (width * of_mcu).div_ceil(across_max * 8),
                blocks_down: (height * rows).div_ceil(down_max * 8),
                stride,
                nonzero: vec![0; blocks],
                exact: 0,
            }
        };
        Some(Self {
            is_progressive,
            across,
            down,
            components: specifications().zip(&sampling).map(component).collect(),
        })
    }
}

/// The coefficients and bits that a scan adds.
#[derive(Clone, Copy)]
struct Band {
    first: usize,
    last: usize,
    /// Whether the coefficients had bits before.
    is_refinement: bool,
    is_progressive: bool,
}

impl Walk {
    fn read_tables(&mut self, mut body: &[u8]) -> Option<()> {
        while let Some((&kind, rest)) = body.split_first() {
            let (counts, rest) = rest.split_first_chunk::<16>()?;
            let codes = counts.iter().map(|&count| usize::from(count)).sum();
            let (symbols, rest) = rest.split_at_checked(codes)?;
            let place = self.tables.get_mut(usize::from(kind >> 4))?;
            *place.get_mut(usize::from(kind & 15))? = Some(Table::new(counts, symbols)?);
            body = rest;
        }
        Some(())
    }

    /// Returns how many bytes of `data` the scan takes.
    fn scan(&mut self, head: &[u8], data: &[u8]) -> Option<usize> {
        let count = usize::from(*head.first()?);
        let selectors = head.get(1..1 + count * 2)?;
        let [first, last, approximation] = *head.get(1 + count * 2..)?.first_chunk()?;
        let frame = self.frame.as_mut()?;
        let band = if frame.is_progressive {
            Band {
                first: usize::from(first),
                last: usize::from(last).min(LAST),
                is_refinement: approximation >> 4 != 0,
                is_progressive: true,
            }
        } else {
            Band {
                first: 0,
                last: LAST,
                is_refinement: false,
                is_progressive: false,
            }
        };
        let mut chosen = Vec::with_capacity(count);
        for selector in selectors.chunks_exact(2) {
            let of_id = |component: &Component| component.id == selector[0];
            let index = frame.components.iter().position(of_id)?;
            let table = |class: usize, number: u8| self.tables[class].get(usize::from(number));
            let dc = table(0, selector[1] >> 4)?.as_ref();
            let ac = table(1, selector[1] & 15)?.as_ref();
            chosen.push((index, dc, ac));
            if !frame.is_progressive || approximation.trailing_zeros() >= 4 {
                for coefficient in band.first..=band.last {
                    frame.components[index].exact |= 1 << coefficient;
                }
            }
        }
        let is_interleaved = count > 1;
        let (across, down) = match chosen.first()? {
            (index, ..) if !is_interleaved => {
                let component = &frame.components[*index];
                (component.blocks_across, component.blocks_down)
            }
            _ => (frame.across, frame.down),
        };
        let mut bits = Bits::new(data);
        let mut ends_after = self.restart_interval;
        for mcu in 0..across * down {
            if self.restart_interval > 0 && ends_after == 0 {
                bits = bits.restarted()?;
                ends_after = self.restart_interval;
            }
            ends_after = ends_after.saturating_sub(1);
            let (x, y) = (mcu % across, mcu / across);
            for &(index, dc, ac) in &chosen {
                let component = &mut frame.components[index];
                let (of_mcu, rows) = if is_interleaved {
                    (component.across, component.down)
                } else {
                    (1, 1)
                };
                for block in 0..of_mcu * rows {
                    let column = x * of_mcu + block % of_mcu;
                    let place = (y * rows + block / of_mcu) * component.stride + column;
                    let mut unused = 0;
                    let nonzero = component.nonzero.get_mut(place).unwrap_or(&mut unused);
                    bits.block(band, (dc, ac), nonzero)?;
                }
            }
        }
        Some(bits.used())
    }
}

/// Length and symbol of the code that each 16 bits begin with; length zero for none.
struct Table(Vec<(u8, u8)>);

impl Table {
    fn new(counts: &[u8; 16], symbols: &[u8]) -> Option<Self> {
        let mut entries = Vec::with_capacity(1 << CODE_BITS_MAX);
        let mut symbols = symbols.iter();
        for (length, &count) in (1_u8..).zip(counts) {
            for _ in 0..count {
                let entry = (length, *symbols.next()?);
                let same = 1_usize << (CODE_BITS_MAX - u32::from(length));
                entries.resize(entries.len() + same, entry);
            }
        }
        if entries.len() > 1 << CODE_BITS_MAX {
            return None;
        }
        entries.resize(1 << CODE_BITS_MAX, (0, 0));
        Some(Self(entries))
    }
}

/// The bits of a scan up to its next marker. A bit that is not there is `None`.
struct Bits<'a> {
    data: &'a [u8],
    /// Offset in `data` behind the bits of `buffer`.
    at: usize,
    buffer: u64,
    count: u32,
    /// Blocks left of a run whose rest is zero.
    end_of_band_run: u32,
}

impl<'a> Bits<'a> {
    const fn new(data: &'a [u8]) -> Self {
        Self {
            data,
            at: 0,
            buffer: 0,
            count: 0,
            end_of_band_run: 0,
        }
    }

    fn fill(&mut self) {
        while self.count <= 56 {
            let Some(&byte) = self.data.get(self.at) else {
                return;
            };
            if byte == 0xFF {
                if self.data.get(self.at + 1) != Some(&0) {
                    return;
                }
                self.at += 1;
            }
            self.at += 1;
            self.buffer = self.buffer << 8 | u64::from(byte);
            self.count += 8;
        }
    }

    fn take(&mut self, bits: u32) -> Option<u32> {
        if self.count < bits {
            self.fill();
        }
        self.count = self.count.checked_sub(bits)?;
        let mask = (1_u64 << bits) - 1;
        u32::try_from(self.buffer >> self.count & mask).ok()
    }

    fn symbol(&mut self, table: &Table) -> Option<u8> {
        if self.count < CODE_BITS_MAX {
            self.fill();
        }
        let wanted = u64::MAX >> (64 - CODE_BITS_MAX);
        // No code consists of ones alone, so the ones behind the end complete none.
        let bits = match CODE_BITS_MAX.checked_sub(self.count) {
            Some(lacking) => (self.buffer << lacking | ((1 << lacking) - 1)) & wanted,
            None => self.buffer >> (self.count - CODE_BITS_MAX) & wanted,
        };
        let &(length, symbol) = table.0.get(usize::try_from(bits).ok()?)?;
        if length == 0 {
            return None;
        }
        self.count = self.count.checked_sub(u32::from(length))?;
        Some(symbol)
    }

    /// Continues behind the next restart marker.
    fn restarted(self) -> Option<Self> {
        let mut found = next_marker(self.data, self.at)?;
        while found.0 == 0 {
            found = next_marker(self.data, found.1)?;
        }
        let (marker, at) = found;
        (0xD0..=0xD7).contains(&marker).then_some(Self {
            at,
            buffer: 0,
            count: 0,
            end_of_band_run: 0,
            ..self
        })
    }

    /// Returns how many bytes were used; a byte that was begun counts.
    fn used(&self) -> usize {
        let mut at = self.at;
        for _ in 0..self.count / 8 {
            let is_stuffed = at >= 2 && self.data.get(at - 2..at) == Some(&[0xFF, 0]);
            at = at.saturating_sub(if is_stuffed { 2 } else { 1 });
        }
        at
    }

    fn block(
        &mut self,
        band: Band,
        (dc, ac): (Option<&Table>, Option<&Table>),
        nonzero: &mut u64,
    ) -> Option<()> {
        let mut first = band.first;
        if first == 0 {
            if band.is_refinement {
                self.take(1)?;
            } else {
                let bits = self.symbol(dc?)?;
                self.take(u32::from(bits).min(16))?;
            }
            first = 1;
        }
        if first > band.last {
            return Some(());
        }
        if band.is_refinement {
            return self.refine(first, band.last, ac?, nonzero);
        }
        if self.end_of_band_run > 0 {
            self.end_of_band_run -= 1;
            return Some(());
        }
        let mut index = first;
        while index <= band.last {
            let symbol = self.symbol(ac?)?;
            let (run, bits) = (u32::from(symbol >> 4), u32::from(symbol & 15));
            if bits == 0 && run < 15 {
                if band.is_progressive {
                    self.end_of_band_run = (1 << run) - 1 + self.take(run)?;
                }
                break;
            }
            self.take(bits)?;
            index += usize::try_from(run).ok()?;
            if bits > 0 && index <= LAST {
                *nonzero |= 1 << index;
            }
            index += 1;
        }
        Some(())
    }

    /// A scan that adds a bit to coefficients (ITU-T T.81, figure G.7).
    fn refine(&mut self, first: usize, last: usize, ac: &Table, nonzero: &mut u64) -> Option<()> {
        let mut index = first;
        while self.end_of_band_run == 0 && index <= last {
            let symbol = self.symbol(ac)?;
            let (mut run, bits) = (symbol >> 4, symbol & 15);
            if bits == 0 && run < 15 {
                self.end_of_band_run = (1 << run) + self.take(u32::from(run))?;
                break;
            }
            if bits > 0 {
                self.take(1)?;
            }
            while index <= last {
                if *nonzero >> index & 1 == 1 {
                    self.take(1)?;
                } else if run == 0 {
                    break;
                } else {
                    run -= 1;
                }
                index += 1;
            }
            if bits > 0 && index <= last {
                *nonzero |= 1 << index;
            }
            index += 1;
        }
        if self.end_of_band_run > 0 {
            for coefficient in index..=last {
                if *nonzero >> coefficient & 1 == 1 {
                    self.take(1)?;
                }
            }
            self.end_of_band_run -= 1;
        }
        Some(())
    }
}
