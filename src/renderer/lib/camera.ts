import { isRecord } from './local-storage'

/** The camera details that a post can show, in display order. Same names as in the check constraint of post_photos. */
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

/** Formats the stored details of a photo in one line; empty without any. */
export function cameraLine(camera: unknown): string {
  if (!isRecord(camera)) return ''
  const texts = CAMERA_FIELDS.map((field) => camera[field])
  return texts.filter((text) => typeof text === 'string').join(' · ')
}
