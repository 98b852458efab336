import { type RefObject, useLayoutEffect, useRef } from 'react'
import { applyLook, editedSize, editTransform, type PictureEdit } from '#/renderer/lib/media'
import type { Dimensions } from '#/shared/media-formats'

/** Draws an edited picture on a canvas, in at most `limit` pixels and in the colours in which it will be stored. */
export function drawEdit(
  canvas: HTMLCanvasElement,
  view: ImageBitmap,
  edit: PictureEdit,
  limit: Dimensions,
  colorSpace: PredefinedColorSpace,
): void {
  const size = editedSize(view, edit)
  const factor = Math.min(1, limit.width / size.width, limit.height / size.height)
  const width = Math.max(1, Math.round(size.width * factor))
  const height = Math.max(1, Math.round(size.height * factor))
  canvas.width = width
  canvas.height = height
  const drawing = canvas.getContext('2d', { colorSpace, willReadFrequently: true })
  if (drawing === null) return
  drawing.imageSmoothingQuality = 'high'
  drawing.setTransform(...editTransform(view, edit, factor))
  drawing.drawImage(view, 0, 0)
  if (edit.filter === 'none' && edit.exposure === 0) return
  const pixels = drawing.getImageData(0, 0, width, height, { colorSpace })
  applyLook(pixels, edit.filter, edit.exposure)
  drawing.putImageData(pixels, 0, 0)
}

/** A canvas that is drawn after each render. */
export function useEditCanvas(
  draw: (canvas: HTMLCanvasElement) => void,
): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    if (canvas.current !== null) draw(canvas.current)
  }, [draw])
  return canvas
}
