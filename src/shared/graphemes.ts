/** The beginning of a text with at most this many code points. A character that is made of several is not cut. */
export function beginning(text: string, limit: number): string {
  let count = 0
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    count += [...segment].length
    if (count > limit) return text.slice(0, index)
  }
  return text
}

/** That beginning, with '…' if it is not all of the text. */
export function shortened(text: string, limit: number): string {
  const start = beginning(text, limit)
  return start === text ? text : `${start}…`
}
