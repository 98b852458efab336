import { isRecord } from './local-storage'

/** What can be shown of how a photo was taken, in this order. The same names as in the check constraint of post_photos. */
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

/** Each as it is shown: 'f/2.8', '1/250 s'. */
export type CameraDetails = Partial<Record<CameraField, string>>

/** The stored details of a photo in one line; empty without any. */
export function cameraLine(camera: unknown): string {
  if (!isRecord(camera)) return ''
  const texts = CAMERA_FIELDS.map((field) => camera[field])
  return texts.filter((text) => typeof text === 'string').join(' · ')
}
