const [QUOTE, BACKSLASH, COMMA, ARRAY, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/**
 * Makes a function that takes a JSON text in parts, and returns true once it has had more than so many commas and opening brackets
 * outside of its texts. Parsed and checked, many values take thousands of times as long as this, in one piece, and many times the text's
 * memory.
 */
export function countValues(most: number): (part: Uint8Array) => boolean {
  let found = 0
  let isText = false
  let isEscaped = false
  return (part) => {
    for (const byte of part) {
      if (isEscaped) isEscaped = false
      else if (byte === QUOTE) isText = !isText
      else if (isText) isEscaped = byte === BACKSLASH
      else if (byte === COMMA || byte === ARRAY || byte === OBJECT) found += 1
      if (found > most) return true
    }
    return false
  }
}

/** The same for a whole text. */
export function hasMoreValues(json: Uint8Array, most: number): boolean {
  return countValues(most)(json)
}
