/** A number of EBML (RFC 8794, 4): its length in bytes, and its value; null if all of its bits are set, which means unknown. */
export function readVariable(view: DataView, at: number): { length: number; value: number | null } | null {
  if (at >= view.byteLength) return null
  const length = Math.clz32(view.getUint8(at)) - 23
  if (length > 8 || at + length > view.byteLength) return null
  let value = view.getUint8(at) & (0xff >> length)
  let isUnknown = value === 0xff >> length
  for (let offset = 1; offset < length; offset += 1) {
    const byte = view.getUint8(at + offset)
    isUnknown &&= byte === 0xff
    value = value * 256 + byte
  }
  return { length, value: isUnknown ? null : value }
}

/** An element, as a range of its content; `end` is null if its size is unknown. */
export interface Element {
  id: number
  start: number
  end: number | null
}

/** The element whose header is there (RFC 8794, 5 and 6); null if there is none. */
export function elementAt(view: DataView, at: number): Element | null {
  const name = readVariable(view, at)
  const size = name && readVariable(view, at + name.length)
  if (!name || !size) return null
  let id = 0
  for (let offset = 0; offset < name.length; offset += 1) id = id * 256 + view.getUint8(at + offset)
  const start = at + name.length + size.length
  return { id, start, end: size.value === null ? null : start + size.value }
}

/** The elements between two offsets. Throws a RangeError if one ends after them. */
export function* elementsIn(view: DataView, from: number, to: number): Generator<Element & { end: number }> {
  for (let at = from; at + 2 <= to; ) {
    const element = elementAt(view, at)
    if (element === null) return
    const { id, start, end } = element
    if (end === null || end > to) throw new RangeError('An element ends after its parent.')
    yield { id, start, end }
    at = end
  }
}

/** A number of an element's content, highest byte first. */
export function numberIn(view: DataView, { start, end }: { start: number; end: number }): number {
  let value = 0
  for (let at = start; at < end; at += 1) value = value * 256 + view.getUint8(at)
  return value
}
