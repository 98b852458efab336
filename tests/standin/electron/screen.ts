import type { Screen as RealScreen, Rectangle } from 'electron'
import { knowsOnly, requireReady, StandinEmitter, strict, type Unknown } from './life'

/** The work area of each display; the first is the primary one. */
let areas: Rectangle[] = JSON.parse(
  process.env.STANDIN_DISPLAYS ?? '[{"x":0,"y":0,"width":1920,"height":1040}]',
)

class StandinScreen extends StandinEmitter {
  constructor() {
    super('screen')
  }

  getAllDisplays(): Pick<Electron.Display, 'id' | 'workArea'>[] {
    requireReady('screen')
    return areas.map((workArea, id) => ({ id, workArea: { ...workArea } }))
  }

  getPrimaryDisplay(): Pick<Electron.Display, 'id' | 'workArea'> {
    const [first] = this.getAllDisplays()
    if (first === undefined) throw new Error('there is no display')
    return first
  }
}

knowsOnly<Unknown<StandinScreen, RealScreen>>()

const standin = new StandinScreen()
export const screen = strict('screen', standin)

/** Unplugs or changes displays. */
export function setDisplays(next: Rectangle[]): void {
  const isFewer = next.length < areas.length
  areas = next
  standin.emit(isFewer ? 'display-removed' : 'display-metrics-changed')
}
