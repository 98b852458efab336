import { act } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useDroppedFiles } from '#/renderer/lib/browser/useDropAndPaste'
import { showHook } from '#tests/renderer/dom'

const photo = new File(['photo'], 'image.png', { type: 'image/png' })

/** An event of a drag, as browsers send it to the window. */
function drag(type: string, parts: object): void {
  act(() => {
    window.dispatchEvent(Object.assign(new Event(type), parts))
  })
}

test('CREATE-06 the page shows where a dragged file can be dropped until it is dropped or leaves the window', () => {
  const onFiles = vi.fn()
  const { result } = showHook(() => useDroppedFiles(onFiles, true))
  const over = () => drag('dragover', { dataTransfer: { types: ['Files'] } })
  drag('dragover', { dataTransfer: { types: ['text/plain'] } })
  expect(result.current).toBe(false)
  over()
  expect(result.current).toBe(true)
  // From one element of the page to another.
  drag('dragleave', { relatedTarget: document.body })
  expect(result.current).toBe(true)
  drag('dragleave', { relatedTarget: null })
  expect(result.current).toBe(false)
  over()
  drag('drop', { dataTransfer: { files: [photo] } })
  expect(result.current).toBe(false)
  expect(onFiles.mock.calls).toEqual([[[photo]]])
})
