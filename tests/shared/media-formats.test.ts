import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type MediaKind, type PictureKind, readDimensions, sniffMedia } from '#/shared/media-formats'
import { bytes, photo } from '#tests/renderer/lib/media/files'

describe('CREATE-05 sniffMedia detects the format from the first bytes', () => {
  test.each<[string, MediaKind]>([
    ['orientation-6.jpg', 'jpeg'],
    ['display-p3.png', 'png'],
    ['lossy.webp', 'webp'],
    ['animated.gif', 'gif'],
    ['plain.avif', 'avif'],
    ['plain.bmp', 'bmp'],
    ['iphone.heic', 'heic'],
    ['drawing.svg', 'other-picture'],
    ['notes.jpg', 'unknown'],
    ['empty.jpg', 'unknown'],
  ])('%s is %s', (name, kind) => {
    expect(sniffMedia(photo(name))).toBe(kind)
  })

  test.each<[string, string, MediaKind]>([
    ['a HEIF still with generic brands', "00000018 'ftyp' 'mif1' 00000000 'mif1' 'heic'", 'heic'],
    ['an AVIF with a generic major brand', "00000018 'ftyp' 'mif1' 00000000 'miaf' 'avif'", 'avif'],
    ['an AVIF animation', "00000014 'ftyp' 'avis' 00000000 'avis'", 'avif'],
    ['an MP4', "0000001c 'ftyp' 'isom' 00000200 'isom' 'avc1' 'mp41'", 'mp4'],
    ['an MP4 with an unknown major brand', "00000018 'ftyp' 'XAVC' 00000000 'XAVC' 'mp42'", 'mp4'],
    ['an audio book', "00000014 'ftyp' 'M4B ' 00000000 'M4B '", 'unknown'],
    ['a CR3, though it has a brand of MP4', "0000001c 'ftyp' 'crx ' 00000001 'crx ' 'isom'", 'raw'],
    ['a CR2, though it begins like a TIFF', "'II' 2a00 10000000 'CR' 0200", 'raw'],
    ['an ORF', "'IIRO' 08000000", 'raw'],
    ['an RW2', "'IIU' 00 18000000", 'raw'],
    ['a RAF', "'FUJIFILMCCD-RAW 0201'", 'raw'],
    ['a BigTIFF', "'II' 2b00 08000000", 'tiff'],
    ['a TIFF of either byte order', "'II' 2a00 08000000", 'tiff'],
    ['a TIFF of the other byte order', "'MM' 002a 00000008", 'tiff'],
    ['a JPEG XL stream', 'ff0a fa1f 0188', 'jxl'],
    ['a JPEG XL container', "0000000c 'JXL ' 0d0a870a 00000014 'ftyp' 'jxl '", 'jxl'],
    ['a WAVE sound in the same container as WebP', "'RIFF' 24080000 'WAVEfmt '", 'unknown'],
    [
      'an SVG with a declaration, a comment and a byte order mark',
      'efbbbf \'<?xml version="1.0"?><!-- hi --><svg>\'',
      'other-picture',
    ],
    ['a mini HEIF of HEVC', "00000010 'ftyp' 'mif3' 'heic' 00000012 'mini'", 'heic'],
    ['a mini HEIF of AV1', "00000010 'ftyp' 'mif3' 'avif' 00000012 'mini'", 'other-picture'],
    ['a file of Photoshop', "'8BPS' 0001 000000000000 0003", 'other-picture'],
    ['a GIMP picture', "'gimp xcf file'", 'other-picture'],
    ['a QuickTime video whose index has 256 bytes', "00000100 'moov' 0000006c 'mvhd'", 'quicktime'],
    ['a JPEG 2000', "0000000c 'jP  ' 0d0a870a 00000014 'ftyp' 'jp2 '", 'other-picture'],
    ['a JPEG 2000 stream', 'ff4f ff51 002f', 'other-picture'],
    ['a JPEG XR', "'II' bc01 20000000", 'other-picture'],
    ['an OpenEXR', '762f3101 02000000', 'other-picture'],
    ['a Radiance picture', "'#?RADIANCE' 0a", 'other-picture'],
    ['an icon of Windows', '0000 0100 0300 2020', 'other-picture'],
    ['a page with an SVG in it', "'<!DOCTYPE html><body><svg>'", 'unknown'],
    ['a text that begins with BM', "'BM is short for Brand Management'", 'unknown'],
    ['a PDF', "'%PDF-1.7'", 'unknown'],
  ])('%s', (_, content, kind) => {
    expect(sniffMedia(bytes(content))).toBe(kind)
  })

  const PACKETS = (bytes: number, before: number) =>
    new Uint8Array(4 * 192).map((_, at) => (at % bytes === before ? 0x47 : 0x10))

  test.each<[string, string | Uint8Array, MediaKind]>([
    ['a 3GP video of a phone', "00000018 'ftyp' '3gp5' 00000000 '3gp5' '3gp4'", 'mp4'],
    ['an M4V video', "00000014 'ftyp' 'M4V ' 00000000 'M4V '", 'mp4'],
    ['a QuickTime video', "00000014 'ftyp' 'qt  ' 00000200 'qt  '", 'quicktime'],
    ['a QuickTime video that names it second', "00000014 'ftyp' 'niko' 00000200 'qt  '", 'quicktime'],
    ['a QuickTime video without brands', "00000008 'wide' 00001000 'mdat' 00", 'quicktime'],
    ['a QuickTime video that begins with its index', "00001000 'moov' 0000006c 'mvhd'", 'quicktime'],
    ['free space only', "00000008 'free' 'text'", 'unknown'],
    ['a raw photo of Canon', "00000018 'ftyp' 'crx ' 00000001 'crx ' 'isom'", 'raw'],
    ['a WebM', "1a45dfa3 9f 4286 81 01 42f7 81 01 4282 84 'webm' 4287 81 04", 'webm'],
    ['a WebM with long sizes', "1a45dfa3 01000000000000 16 4282 01000000000000 04 'webm' 4287 81 04", 'webm'],
    ['a WebM with a size of two bytes', "1a45dfa3 8b 4282 4004 'webm' 4287 81 04", 'webm'],
    ['a WebM with a padded name', "1a45dfa3 8d 4282 86 'webm' 0000 4287 81 04", 'webm'],
    ['a Matroska video', "1a45dfa3 a3 4286 81 01 4282 88 'matroska' 4287 81 04", 'matroska'],
    ['another EBML document', "1a45dfa3 a3 4286 81 01 4282 84 'note' 4287 81 04", 'unknown'],
    ['an EBML header that names WebM outside', "1a45dfa3 84 4286 81 01 4282 84 'webm'", 'unknown'],
    ['a transport stream', PACKETS(188, 0), 'mpeg-ts'],
    ['a transport stream of a camera', PACKETS(192, 4), 'mpeg-ts'],
    ['a text of G', "'GGGGGGGG'", 'unknown'],
  ])('STORY-08 %s', (_, content, kind) => {
    expect(sniffMedia(typeof content === 'string' ? bytes(content) : content)).toBe(kind)
  })

  test('brands outside the first box are ignored', () => {
    expect(sniffMedia(bytes("00000010 'ftyp' 'isom' 00000000 'avif' 'avif'"))).toBe('mp4')
  })
})

const WEBP = "'RIFF' 00000000 'WEBP'"

/** The case files of tests/e2e/fixtures/camera-files. */
const cameraFile = (name: string) =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../e2e/fixtures/camera-files', name)))

describe('CREATE-11 formats of cameras and phones', () => {
  test.each<[string, PictureKind, number, number]>([
    ['corners.heic', 'heic', 120, 80],
    ['corners.jxl', 'jxl', 120, 80],
    ['arithmetic.jpg', 'jpeg', 120, 80],
    ['cmyk.jpg', 'jpeg', 120, 80],
    ['jpeg-extra-bytes-between-segments.jpg', 'jpeg', 120, 80],
    ['jpeg-without-end-marker.jpg', 'jpeg', 120, 80],
    ['animated-avif.avif', 'avif', 150, 150],
  ])('%s', (name, kind, width, height) => {
    const file = cameraFile(name)
    expect(sniffMedia(file)).toBe(kind)
    expect(readDimensions(file, kind)).toEqual({ width, height })
  })

  test.each<[string, string, number, number]>([
    ['short sides', '0808 3b9e', 60, 80],
    ['long sides', '0808 8fa0 1770', 4_001, 3_001],
  ])('a mini HEIF with %s', (_, header, width, height) => {
    const file = bytes(`00000010 'ftyp' 'mif3' 'heic' 00000012 'mini' ${header} 0000000000000000`)
    expect(readDimensions(file, 'heic')).toEqual({ width, height })
  })

  test.each<[string, string, number, number]>([
    // SizeHeader, lowest bits first: small, 8 × (5 + 1) rows, no ratio, 8 × (10 + 1) columns.
    ['small sides', 'ff0a 0b 14', 88, 48],
    ['a ratio of 16:9', 'ff0a 4b 01', 85, 48],
  ])('a JPEG XL with %s', (_, content, width, height) => {
    expect(readDimensions(bytes(`${content} 0000000000`), 'jxl')).toEqual({ width, height })
  })

  test('a JPEG XL whose codestream is in parts', () => {
    const head = "0000000c 'JXL ' 0d0a870a 00000014 'ftyp' 'jxl ' 00000000 'jxl '"
    const file = bytes(`${head} 0000001a 'jxlp' 00000000 ff0a 0b14 0000000000000000000000000000`)
    expect(readDimensions(file, 'jxl')).toEqual({ width: 88, height: 48 })
  })
})

describe('CREATE-05 readDimensions reads width and height from the header', () => {
  test.each<[string, PictureKind, number, number]>([
    ['orientation-1.jpg', 'jpeg', 120, 80],
    // As stored, before the EXIF orientation is applied.
    ['orientation-6.jpg', 'jpeg', 80, 120],
    ['display-p3.jpg', 'jpeg', 96, 64],
    ['claims-144-megapixels.jpg', 'jpeg', 12_000, 12_000],
    ['cut-off.jpg', 'jpeg', 120, 80],
    ['display-p3.png', 'png', 96, 64],
    ['pixel.png', 'png', 1, 1],
    ['lossy.webp', 'webp', 70, 50],
    ['transparent.webp', 'webp', 80, 80],
    ['animated.gif', 'gif', 60, 60],
    ['plain.avif', 'avif', 64, 48],
    ['plain.bmp', 'bmp', 51, 33],
  ])('%s', (name, kind, width, height) => {
    expect(readDimensions(photo(name), kind)).toEqual({ width, height })
  })

  test.each<[string, PictureKind, string, number, number]>([
    [
      'a progressive JPEG',
      'jpeg',
      'ffd8 ffe0 0004 0000 ffc4 0003 00 ffc2 000b 08 0190 0258 01 011100',
      600,
      400,
    ],
    [
      'a JPEG with fill bytes between its segments',
      'jpeg',
      'ffd8 ffffffe0 0002 ff01 ffffc0 000b 08 0190 0258',
      600,
      400,
    ],
    [
      'a JPEG with bytes between its segments',
      'jpeg',
      'ffd8 ffe0 0002 000102 ffc0 000b 08 0190 0258',
      600,
      400,
    ],
    ['a lossy WebP', 'webp', `${WEBP} 'VP8 ' 0a000000 300100 9d012a 5802 9001`, 600, 400],
    ['a lossy WebP with scaling bits', 'webp', `${WEBP} 'VP8 ' 0a000000 3001 00 9d012a 5842 9041`, 600, 400],
    ['a lossless WebP', 'webp', `${WEBP} 'VP8L' 05000000 2f 57c26300`, 600, 400],
    ['a BMP of OS/2', 'bmp', "'BM' 000000000000000000000000 0c000000 5802 9001", 600, 400],
    [
      'a GIF whose first frame reaches beyond its screen',
      'gif',
      "'GIF89a' 0a00 0a00 00 00 00 2c 3200 1400 5802 9001",
      650,
      420,
    ],
    [
      'a GIF with a comment before its first frame',
      'gif',
      "'GIF89a' 5802 9001 00 00 00 21fe 03 414243 01 44 00 2c 0000 0000 0100 0100",
      600,
      400,
    ],
    [
      'an AVIF of tiles, by its largest image',
      'avif',
      "0000000c 'ftyp' 00000000 00000044 'meta' 00000000 00000038 'iprp' 00000030 'ipco' 00000014 'ispe' 00000000 00000100 00000100 00000014 'ispe' 00000000 00000258 00000190",
      600,
      400,
    ],
  ])('%s', (_, kind, content, width, height) => {
    expect(readDimensions(bytes(content), kind)).toEqual({ width, height })
  })

  test.each<[string, PictureKind, string]>([
    ['a JPEG that ends before its size', 'jpeg', 'ffd8 ffe0 0010 4a46'],
    ['a JPEG of thumbnails only', 'jpeg', 'ffd8 ffd9 0000'],
    ['a JPEG that begins with its scan', 'jpeg', 'ffd8 ffda 0008 01 0100 003f00'],
    ['a JPEG without height', 'jpeg', 'ffd8 ffc0 000b 08 0000 0258 01 011100'],
    ['a PNG whose first chunk is another', 'png', "89504e470d0a1a0a 0000000d 'IDAT' 00000258 00000190"],
    ['a BMP of negative width', 'bmp', "'BM' 000000000000000000000000 28000000 ffffffff 01000000"],
    ['a WebP of an unknown chunk', 'webp', `${WEBP} 'VP9 ' 0a000000 300100 9d012a 5802 9001`],
    ['a lossy WebP without its start code', 'webp', `${WEBP} 'VP8 ' 0a000000 300100 000000 5802 9001`],
    ['a GIF without frames', 'gif', "'GIF89a' 5802 9001 00 00 00 3b"],
    ['an AVIF without sizes', 'avif', "0000000c 'ftyp' 00000000 0000000c 'meta' 00000000"],
    ['an AVIF with a box of impossible length', 'avif', "00000004 'ftyp' 00000000 00000000"],
  ])('returns null for %s', (_, kind, content) => {
    expect(readDimensions(bytes(content), kind)).toBeNull()
  })
})
