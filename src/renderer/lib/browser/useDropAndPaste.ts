import { useEffect, useEffectEvent, useState } from 'react'

/** Accepts one picture, or else any file, that is dropped on the window or pasted; see `useDroppedFiles`. */
export function useDropAndPaste(onPicture: (file: File) => void, isEnabled: boolean): boolean {
  const takeFirst = (files: readonly File[]) => {
    const file = firstPicture(files)
    if (file !== null) onPicture(file)
  }
  return useDroppedFiles(takeFirst, isEnabled)
}

/**
 * Accepts files that are dropped on the window or pasted (CREATE-06). Returns whether a file is being dragged.
 * app/file-drops.ts prevents the browser from opening a dropped file.
 */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void, isEnabled: boolean): boolean {
  const [isDragging, setIsDragging] = useState(false)
  const take = useEffectEvent(onFiles)

  useEffect(() => {
    if (!isEnabled) return
    const handlePaste = (event: ClipboardEvent) => {
      const files = event.clipboardData === null ? [] : filesFromClipboard(event.clipboardData)
      if (files.length === 0) return
      event.preventDefault()
      take(files)
    }
    const handleDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) setIsDragging(true)
    }
    const handleDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsDragging(false)
    }
    const handleDrop = (event: DragEvent) => {
      setIsDragging(false)
      const files = Array.from(event.dataTransfer?.files ?? [])
      if (files.length > 0) take(files)
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

/** Returns the pasted files; none for text. Word processors and spreadsheets also put a picture of the selected text on the clipboard. */
export function filesFromClipboard({ types, files }: Transfer): File[] {
  return types.includes('text/html') && types.includes('text/plain') ? [] : Array.from(files)
}

/** Returns the first picture, or else any file, so that an unsupported one gets an error message. */
export function firstPicture(files: readonly File[]): File | null {
  return files.find((file) => file.type.startsWith('image/')) ?? files[0] ?? null
}
