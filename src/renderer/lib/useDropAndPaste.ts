import { useEffect, useEffectEvent, useState } from 'react'
import { pictureFromClipboard, pictureFromDrop } from './media'

/**
 * Takes a picture, or else any one file, that is dropped anywhere on the window or pasted (CREATE-06). Gives whether one is being dragged.
 * That a dropped file does not replace the page is the app's part: see app/file-drops.ts.
 */
export function useDropAndPaste(onPicture: (file: File) => void, isEnabled: boolean): boolean {
  const [isDragging, setIsDragging] = useState(false)
  const take = useEffectEvent(onPicture)

  useEffect(() => {
    if (!isEnabled) return
    const handlePaste = (event: ClipboardEvent) => {
      const file = event.clipboardData && pictureFromClipboard(event.clipboardData)
      if (file == null) return
      event.preventDefault()
      take(file)
    }
    const handleDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) setIsDragging(true)
    }
    const handleDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsDragging(false)
    }
    const handleDrop = (event: DragEvent) => {
      setIsDragging(false)
      const file = event.dataTransfer && pictureFromDrop(event.dataTransfer)
      if (file != null) take(file)
    }
    window.addEventListener('paste', handlePaste)
    window.addEventListener('dragover', handleDragOver)
    window.addEventListener('dragleave', handleDragLeave)
    window.addEventListener('drop', handleDrop)
    return () => {
      setIsDragging(false)
      window.removeEventListener('paste', handlePaste)
      window.removeEventListener('dragover', handleDragOver)
      window.removeEventListener('dragleave', handleDragLeave)
      window.removeEventListener('drop', handleDrop)
    }
  }, [isEnabled])

  return isDragging
}
