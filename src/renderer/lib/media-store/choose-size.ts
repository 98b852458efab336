import { srcSetOf } from './picture-source'

/** A GIF of one transparent pixel. */
const PIXEL = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
/** Stands for a picture, so that the browser can choose among its sizes and load none. Of data URLs it chooses the largest. */
const STAND_IN = URL.createObjectURL(
  new Blob([Uint8Array.from(atob(PIXEL), (character) => character.charCodeAt(0))], { type: 'image/gif' }),
)

interface Width {
  width: number
}

function standIn(stored: readonly Width[], sizes: string): HTMLImageElement {
  const image = new Image()
  image.sizes = sizes
  image.srcset = srcSetOf(stored.map(({ width }, index) => ({ url: `${STAND_IN}#${index}`, width })))
  return image
}

function choiceOf({ currentSrc }: HTMLImageElement): number {
  return Number(currentSrc.slice(currentSrc.indexOf('#') + 1))
}

/** The index of the size that an `<img>` with these `sizes` would choose. */
export async function chooseSize(stored: readonly Width[], sizes: string): Promise<number> {
  if (stored.length === 1) return 0
  const image = standIn(stored, sizes)
  await image.decode()
  return choiceOf(image)
}

/** Calls back with the chosen index, and with a larger one after the window has grown. Returns a stop function. */
export function followChoice(
  stored: readonly Width[],
  sizes: string,
  onChoose: (index: number) => void,
): () => void {
  const image = standIn(stored, sizes)
  image.addEventListener('load', () => onChoose(choiceOf(image)))
  return () => {
    image.srcset = ''
  }
}
