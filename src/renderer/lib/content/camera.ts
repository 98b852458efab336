import { isRecord } from '#/renderer/lib/local/local-storage'
import { isolate } from '#/shared/bidi'

/** The camera details that a post can show, in display order. Same names as in the check constraint of post_media. */
export const CAMERA_FIELDS = [
  'camera',
  'lens',
  'focal_length',
  'aperture',
  'exposure_time',
  'iso',
  'flash',
  'film',
] as const
export type CameraField = (typeof CAMERA_FIELDS)[number]

/** Formatted for display: 'f/2.8', '1/250 s'. */
export type CameraDetails = Partial<Record<CameraField, string>>

/** Names, which may be longer than a line. */
const NAMES: ReadonlySet<CameraField> = new Set(['camera', 'lens', 'film'])

/**
 * Formats the stored details of a photo in one line; empty without any. No-break spaces keep numbers with their units, and
 * each dot with the detail before it.
 */
export function cameraLine(camera: unknown): string {
  if (!isRecord(camera)) return ''
  const texts = CAMERA_FIELDS.flatMap((field) => {
    const text = camera[field]
    if (typeof text !== 'string') return []
    return isolate(NAMES.has(field) ? text : text.replaceAll(' ', '\u00a0'))
  })
  return texts.join('\u00a0· ')
}

export interface CameraFact {
  name: 'camera' | 'lens' | 'focal_length' | 'exposure' | 'iso' | 'flash' | 'film'
  text: string
}

const FACTS: Readonly<Record<CameraFact['name'], readonly CameraField[]>> = {
  camera: ['camera'],
  lens: ['lens'],
  focal_length: ['focal_length'],
  exposure: ['exposure_time', 'aperture'],
  iso: ['iso'],
  flash: ['flash'],
  film: ['film'],
}

/** The stored details of a photo as named facts, in display order; the two of the exposure are one. */
export function cameraFacts(camera: unknown): CameraFact[] {
  if (!isRecord(camera)) return []
  return Object.entries(FACTS).flatMap(([name, fields]) => {
    const found = fields.map((field) => cameraLine({ [field]: camera[field] })).filter((line) => line !== '')
    const text = found.join('\u00a0· ').replace(/^ISO\s/, '')
    return text === '' ? [] : [{ name: name as CameraFact['name'], text }]
  })
}
