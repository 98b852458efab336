/** Where clients store pictures and videos. `inline` is in the rows, as with a project whose Storage is not set up. */
export type MediaStorage = 'storage' | 'inline'

/** `VIGNETTE_MEDIA=inline` is for testing the app without Storage. */
export function mediaFromEnvironment({ VIGNETTE_MEDIA: media }: NodeJS.ProcessEnv): MediaStorage {
  return media === 'inline' ? 'inline' : 'storage'
}
