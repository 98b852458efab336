/** A row of a list of photos, in pixels. */
export interface PhotoRow {
  /** Index of its first item. */
  first: number
  /** Distance from the top of the list. */
  top: number
  height: number
  /** The items' start edges and widths, in order. */
  cells: readonly { left: number; width: number }[]
}

/** Gap between photos, in pixels. */
export const GAP = 6

/** Photos beyond these proportions have an empty margin: a row would be a line, or a photo a strip that nobody can press. */
const NARROWEST = 1 / 5
const WIDEST = 8

/** The proportions of a photo's frame, for a photo's width divided by its height. A square for one whose size a server sent wrong. */
export function frameRatio(ratio: number): number {
  return Number.isNaN(ratio) ? 1 : Math.min(WIDEST, Math.max(NARROWEST, ratio))
}

/** Whether a photo fills its frame in a justified row. */
export function isFramedWhole(ratio: number): boolean {
  return frameRatio(ratio) === ratio
}

/** The height that rows have in a list of this width, in pixels: 280 to 360 in wide windows (docs/product.md#feed-21). */
export function targetHeight(width: number): number {
  return Math.min(318, Math.max(150, width / 4))
}

/** Rows of squares in equal columns. */
export function squareRows(count: number, width: number, columns: number): PhotoRow[] {
  const side = (width - (columns - 1) * GAP) / columns
  return Array.from({ length: Math.ceil(count / columns) }, (_, row) => ({
    first: row * columns,
    top: row * (side + GAP),
    height: side,
    cells: Array.from({ length: Math.min(columns, count - row * columns) }, (_, column) => ({
      left: column * (side + GAP),
      width: side,
    })),
  }))
}

/**
 * Justified rows: photos keep their proportions, and each row fills the width. A row is complete as soon as its height is nearest to
 * the wanted one, so further photos change only the last row, which is not stretched.
 * @param ratios width divided by height of each photo
 */
export function justifiedRows(ratios: readonly number[], width: number, wanted: number): PhotoRow[] {
  const rows: PhotoRow[] = []
  let first = 0
  let top = 0
  let sum = 0
  const heightOf = (count: number, ratio: number) => (width - (count - 1) * GAP) / ratio
  const add = (end: number, height: number) => {
    const row = { first, top, height: Math.round(height), cells: cellsOf(ratios.slice(first, end), height) }
    rows.push(row)
    top += row.height + GAP
    first = end
    sum = 0
  }
  for (const [index, ratio] of ratios.map(frameRatio).entries()) {
    const before = heightOf(index - first, sum)
    if (index > first && before / wanted < wanted / heightOf(index - first + 1, sum + ratio))
      add(index, before)
    sum += ratio
    const height = heightOf(index - first + 1, sum)
    if (height <= wanted) add(index + 1, height)
  }
  if (first < ratios.length) add(ratios.length, Math.min(wanted, heightOf(ratios.length - first, sum)))
  return rows
}

/** Start edges and widths in whole pixels, without rounding the sum. */
function cellsOf(ratios: readonly number[], height: number): PhotoRow['cells'] {
  let left = 0
  return ratios.map((ratio) => {
    const start = Math.round(left)
    left += frameRatio(ratio) * height
    const cell = { left: start, width: Math.round(left) - start }
    left += GAP
    return cell
  })
}

/** The index of the row that contains an item. */
export function rowOf(rows: readonly PhotoRow[], index: number): number {
  let [low, high] = [0, rows.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((rows[middle]?.first ?? 0) <= index) low = middle
    else high = middle - 1
  }
  return low
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** The index of the item beside another one, in reading order sideways; the same index at an edge. */
export function neighbour(
  rows: readonly PhotoRow[],
  index: number,
  direction: Direction,
  count: number,
): number {
  if (direction === 'left') return Math.max(0, index - 1)
  if (direction === 'right') return Math.min(count - 1, index + 1)
  const row = rowOf(rows, index)
  const from = rows[row]?.cells[index - (rows[row]?.first ?? 0)]
  const to = rows[row + (direction === 'up' ? -1 : 1)]
  if (from === undefined || to === undefined) return index
  const middle = from.left + from.width / 2
  const distances = to.cells.map(({ left, width }) => Math.abs(left + width / 2 - middle))
  return to.first + distances.indexOf(Math.min(...distances))
}
