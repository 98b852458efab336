const text = (file: Uint8Array, from: number, to: number) =>
  Buffer.from(file.subarray(from, to)).toString('latin1')

/** Parts that a decoder needs to show the pixels correctly. */
const NEEDED =
  /^(APP0 JFIF|APP2 ICC_PROFILE|APP14 Adobe|VP8[ LX]|ALPH|ICCP|IHDR|PLTE|tRNS|gAMA|cHRM|sRGB|iCCP|sBIT|IDAT|IEND)$/

/**
 * The parts of a picture file besides its pixels, named as in JPEG, WebP and PNG: EXIF, XMP, IPTC, comments, and bytes
 * after its end. Empty for a picture without metadata about its place and camera.
 */
export function extraParts(file: Uint8Array): string[] {
  return partsOf(file).filter((name) => !NEEDED.test(name))
}

function partsOf(file: Uint8Array): string[] {
  if (text(file, 0, 2) === '\xff\xd8') return jpegSegments(file)
  if (text(file, 0, 4) === 'RIFF' && text(file, 8, 12) === 'WEBP') return webpChunks(file)
  if (text(file, 0, 8) === '\x89PNG\r\n\x1a\n') return pngChunks(file)
  throw new Error('Neither JPEG nor WebP nor PNG')
}

function jpegSegments(file: Uint8Array): string[] {
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  const names: string[] = []
  let at = 2
  // Reads segments up to the first scan; after it, only searches for the end.
  for (; file[at + 1] !== 0xda; at += 2 + view.getUint16(at + 2)) {
    const marker = file[at + 1] ?? 0
    if (marker === 0xfe) names.push('comment')
    if (marker >= 0xe0 && marker <= 0xef) {
      const content = text(file, at + 4, at + 2 + view.getUint16(at + 2))
      names.push(`APP${marker - 0xe0} ${content.split('\0')[0]}`)
    }
  }
  const end = Buffer.from(file).lastIndexOf(Buffer.from([0xff, 0xd9]))
  if (end !== file.length - 2) names.push('bytes behind the end')
  return names
}

function webpChunks(file: Uint8Array): string[] {
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  const end = 8 + view.getUint32(4, true)
  const names: string[] = []
  for (let at = 12; at < end; ) {
    const size = view.getUint32(at + 4, true)
    names.push(text(file, at, at + 4))
    at += 8 + size + (size % 2)
  }
  if (file.length > end) names.push('bytes behind the end')
  return names
}

function pngChunks(file: Uint8Array): string[] {
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  const names: string[] = []
  let at = 8
  while (names.at(-1) !== 'IEND') {
    names.push(text(file, at + 4, at + 8))
    at += 12 + view.getUint32(at)
  }
  if (file.length > at) names.push('bytes behind the end')
  return names
}
