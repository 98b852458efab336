import { describe, expect, test } from 'vitest'
import { type MediaKind, sniffMedia } from '#/renderer/lib/media/sniff'
import { bytes, photo } from './files'

describe('CREATE-05 a file is what its bytes say', () => {
  test.each<[string, MediaKind]>([
    ['orientation-6.jpg', 'jpeg'],
    ['display-p3.png', 'png'],
    ['lossy.webp', 'webp'],
    ['animated.gif', 'gif'],
    ['plain.avif', 'avif'],
    ['plain.bmp', 'bmp'],
    ['iphone.heic', 'heic'],
    ['drawing.svg', 'svg'],
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
    ['an MP4 whose major brand is unheard of', "00000018 'ftyp' 'XAVC' 00000000 'XAVC' 'mp42'", 'mp4'],
    ['a QuickTime film', "00000014 'ftyp' 'qt  ' 00000200 'qt  '", 'quicktime'],
    ['an audio book', "00000014 'ftyp' 'M4B ' 00000000 'M4B '", 'unknown'],
    ['a WebM', "1a45dfa3 9f 4286 81 01 42f7 81 01 4282 84 'webm' 4287 81 04", 'webm'],
    ['a Matroska film', "1a45dfa3 a3 4286 81 01 4282 88 'matroska' 4287 81 04", 'unknown'],
    ['a TIFF of either byte order', "'II' 2a00 08000000", 'tiff'],
    ['a TIFF of the other byte order', "'MM' 002a 00000008", 'tiff'],
    ['a JPEG XL stream', 'ff0a fa1f 0188', 'jxl'],
    ['a JPEG XL container', "0000000c 'JXL ' 0d0a870a 00000014 'ftyp' 'jxl '", 'jxl'],
    ['a WAVE sound in the same container as WebP', "'RIFF' 24080000 'WAVEfmt '", 'unknown'],
    [
      'an SVG with a declaration, a comment and a byte order mark',
      'efbbbf \'<?xml version="1.0"?><!-- hi --><svg>\'',
      'svg',
    ],
    ['a page with an SVG in it', "'<!DOCTYPE html><body><svg>'", 'unknown'],
    ['a text that begins with BM', "'BM is short for Brand Management'", 'unknown'],
    ['a PDF', "'%PDF-1.7'", 'unknown'],
  ])('%s', (_, content, kind) => {
    expect(sniffMedia(bytes(content))).toBe(kind)
  })

  test('brands are looked for inside their box only', () => {
    expect(sniffMedia(bytes("00000010 'ftyp' 'isom' 00000000 'avif' 'avif'"))).toBe('mp4')
  })
})
