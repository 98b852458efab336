const [QUOTE, BACKSLASH, COMMA, ARRAY, OBJECT] = Buffer.from('"\\,[{')

/**
 * Whether a JSON text has more than so many commas and opening brackets outside of its texts. Parsed and checked, many values take thousands
 * of times as long as this, in one piece, and many times the text's memory.
 */
export function hasMoreValues(json: Uint8Array, most: number): boolean {
  let found = 0
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === COMMA || byte === ARRAY || byte === OBJECT) found += 1
    if (found > most) return true
  }
  return false
}
