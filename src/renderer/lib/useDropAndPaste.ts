import { useEffect, useEffectEvent, useState } from 'react'

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

interface Transfer {
  readonly types: readonly string[]
  readonly files: ArrayLike<File>
}

/**
 * Returns the pasted picture, or else any file, so that an unsupported one gets an error message; null for text. Word
 * processors and spreadsheets also put a picture of the selected text on the clipboard.
 */
export function pictureFromClipboard(data: Transfer): File | null {
  const isFormattedText = data.types.includes('text/html') && data.types.includes('text/plain')
  return isFormattedText ? null : firstPicture(data)
}

/** Returns the dropped picture, or else any file, so that an unsupported one gets an error message. */
export function pictureFromDrop(data: Transfer): File | null {
  return firstPicture(data)
}

function firstPicture({ files }: Transfer): File | null {
  const all = Array.from(files)
  return all.find((file) => file.type.startsWith('image/')) ?? all[0] ?? null
}
