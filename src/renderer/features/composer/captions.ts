import { createUrl, releaseUrl } from '#/renderer/lib/browser/object-url-store'
import { CAPTIONS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'

/** A text that is shown for a time, in seconds of the chosen video. */
export interface Cue {
  from: number
  to: number
  text: string
}

/** The captions of a video of the draft: all that the chosen file has, because another part may be kept later. */
export interface DraftCaptions {
  /** Of the file. */
  name: string
  cues: readonly Cue[]
}

export type CaptionsProblem = 'tooLarge' | 'unreadable' | 'empty' | 'tooMany'

/** Why a file with captions was refused. */
export class CaptionsError extends Error {
  override readonly name = 'CaptionsError'
  readonly problem: CaptionsProblem

  constructor(problem: CaptionsProblem) {
    super(`The captions were refused: ${problem}`)
    this.problem = problem
  }
}

/** What draws nothing, and what would show the rest in another order; marks of direction stay. */
const UNWANTED = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu

/** The text of a cue without blank lines, which would end it. */
function cleanText(text: string): string {
  return Array.from(text)
    .slice(0, CAPTIONS.cueCharacters)
    .join('')
    .replace(UNWANTED, '')
    .split('\n')
    .map(trimText)
    .filter((line) => line !== '')
    .join('\n')
}

/**
 * Reads a WebVTT file with the browser's own parser, without styles, regions, places and markup. Throws CaptionsError.
 */
export async function readCaptions(file: Blob): Promise<readonly Cue[]> {
  if (file.size > CAPTIONS.fileBytes) throw new CaptionsError('tooLarge')
  const url = createUrl(new Blob([file], { type: 'text/vtt' }))
  try {
    const cues = await loadCues(url)
    if (cues.length === 0) throw new CaptionsError('empty')
    if (cues.length > CAPTIONS.cues) throw new CaptionsError('tooMany')
    return cues
  } finally {
    releaseUrl(url)
  }
}

async function loadCues(url: string): Promise<readonly Cue[]> {
  // The parser belongs to a media element.
  const video = document.createElement('video')
  const element = document.createElement('track')
  await new Promise((resolve, reject) => {
    element.addEventListener('load', resolve)
    element.addEventListener('error', () => reject(new CaptionsError('unreadable')))
    element.src = url
    // Loads the file.
    element.track.mode = 'hidden'
    video.append(element)
  })
  return [...(element.track.cues ?? [])]
    .filter((cue) => cue instanceof VTTCue)
    .map((cue) => ({
      from: cue.startTime,
      to: cue.endTime,
      text: cleanText(cue.getCueAsHTML().textContent ?? ''),
    }))
    .filter(({ text }) => text !== '')
}

/** A time of WebVTT, as `01:02.500`. */
function stamp(ms: number): string {
  const digits = (value: number, length: number) => String(value).padStart(length, '0')
  return `${digits(Math.floor(ms / 60_000), 2)}:${digits(Math.floor(ms / 1_000) % 60, 2)}.${digits(ms % 1_000, 3)}`
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** WebVTT with the cues of a part of the video, in its times; null if there are none. */
export function writeCaptions(
  captions: DraftCaptions | null,
  part: { from: number; to: number },
): string | null {
  const toMs = (seconds: number) =>
    Math.round((Math.min(Math.max(seconds, part.from), part.to) - part.from) * 1_000)
  const blocks = (captions?.cues ?? [])
    .map(({ from, to, text }) => ({ start: toMs(from), end: toMs(to), text }))
    .filter(({ start, end }) => end > start)
    .map(
      ({ start, end, text }) =>
        `${stamp(start)} --> ${stamp(end)}\n${text.replace(/[&<>]/g, (mark) => ESCAPED[mark] ?? mark)}\n`,
    )
  return blocks.length === 0 ? null : ['WEBVTT\n', ...blocks].join('\n')
}
