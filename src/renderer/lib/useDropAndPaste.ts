import { useEffect, useEffectEvent, useState } from 'react'
import { pictureFromClipboard, pictureFromDrop } from './media'

/**
 * Accepts a picture, or else any file, that is dropped on the window or pasted (CREATE-06). Returns whether a file is
 * being dragged. app/file-drops.ts prevents the browser from opening a dropped file.
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
