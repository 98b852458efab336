/** A profile of RGB with these primaries (XYZ, adapted to D50) and a gamma: ICC.1, the tags that a matrix needs. */
export function iccProfile(
  primaries: readonly (readonly [number, number, number])[],
  gamma: number,
): Uint8Array<ArrayBuffer> {
  const fixed = (value: number) => Math.round(value * 65_536)
  const tag = (type: string, ...words: number[]) => {
    const bytes = Buffer.alloc(8 + words.length * 4)
    bytes.write(type, 'latin1')
    words.forEach((word, index) => {
      bytes.writeInt32BE(word, 8 + index * 4)
    })
    return bytes
  }
  const curve = Buffer.from([
    0x63,
    0x75,
    0x72,
    0x76,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    1,
    Math.floor(gamma),
    Math.round((gamma % 1) * 256),
    0,
    0,
  ])
  const xyz = primaries.map((values) => tag('XYZ ', ...values.map(fixed)))
  const tags: [name: string, content: Buffer][] = [
    ['wtpt', tag('XYZ ', fixed(0.9642), fixed(1), fixed(0.8249))],
    ...(['rXYZ', 'gXYZ', 'bXYZ'] as const).map((name, index): [string, Buffer] => [
      name,
      xyz[index] ?? curve,
    ]),
    ...(['rTRC', 'gTRC', 'bTRC'] as const).map((name): [string, Buffer] => [name, curve]),
  ]
  const table = Buffer.alloc(4 + tags.length * 12)
  table.writeUInt32BE(tags.length, 0)
  let at = 128 + table.length
  tags.forEach(([name, content], index) => {
    table.write(name, 4 + index * 12, 'latin1')
    table.writeUInt32BE(at, 8 + index * 12)
    table.writeUInt32BE(content.length, 12 + index * 12)
    at += content.length
  })
  const header = Buffer.alloc(128)
  header.writeUInt32BE(at, 0)
  header.writeUInt32BE(0x02400000, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  header.writeInt32BE(fixed(0.9642), 68)
  header.writeInt32BE(fixed(1), 72)
  header.writeInt32BE(fixed(0.8249), 76)
  return new Uint8Array(Buffer.concat([header, table, ...tags.map(([, content]) => content)]))
}
