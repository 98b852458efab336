import { STORED_PIXELS } from '#/shared/limits'

/** Whether the pictures of a video have more pixels than any that the app shows. It knows their size before it decodes them. */
export function hasTooManyPixels({
  videoWidth,
  videoHeight,
}: Pick<HTMLVideoElement, 'videoWidth' | 'videoHeight'>): boolean {
  return videoWidth * videoHeight > STORED_PIXELS.video
}
