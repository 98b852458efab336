import { type RefObject, useEffect, useRef } from 'react'
import { type EditablePhoto, type PictureEdit, toMediaErrorCode, WHOLE } from '#/renderer/lib/media'

/**
 * A canvas with the latest edit of a photo, which its worker draws. Edits that are replaced meanwhile are left out.
 * @param isWhole with the part that the crop area leaves out: a change of the area draws nothing
 */
export function useDrawing(
  photo: EditablePhoto,
  edit: PictureEdit,
  side: number,
  isWhole = false,
): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null)
  const latest = useRef(edit)
  const drawing = JSON.stringify(isWhole ? { ...edit, crop: WHOLE } : edit)
  const isDrawing = useRef(false)
  useEffect(() => {
    latest.current = JSON.parse(drawing)
    if (isDrawing.current) return
    isDrawing.current = true
    void drawLatest().finally(() => {
      isDrawing.current = false
    })

    async function drawLatest(): Promise<void> {
      try {
        for (let drawn: PictureEdit | undefined; drawn !== latest.current; ) {
          drawn = latest.current
          show(canvas.current, await photo.draw({ edit: drawn, side, isWhole }))
        }
      } catch (cause) {
        // The editor was closed, or its worker failed: the last drawing stays.
        if (canvas.current !== null) toMediaErrorCode(cause, 'choose photo')
      }
    }
  }, [photo, drawing, side, isWhole])
  return canvas
}

function show(canvas: HTMLCanvasElement | null, image: ImageBitmap): void {
  if (canvas === null) {
    image.close()
    return
  }
  canvas.width = image.width
  canvas.height = image.height
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(image)
}
