/** Texts of the light table. Not in the first load. */
export const lightTable = {
  fit: 'Fit in the window',
  play: 'Play as a slideshow',
  stop: 'Stop the slideshow',
  fullScreen: 'Full screen',
  leaveFullScreen: 'Leave full screen',
  details: 'Text and comments',
  filmstrip: 'Photos of this post',
  filmstripWithVideos: 'Photos and videos of this post',
  percent: (scale: number) => `${Math.round(scale * 100)} %`,
  facts: {
    camera: 'Camera',
    lens: 'Lens',
    focal_length: 'Focal length',
    exposure: 'Exposure',
    iso: 'ISO',
    flash: 'Flash',
    film: 'Film',
  },
} as const
