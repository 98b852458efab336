import type { ReactNode } from 'react'
import type { PictureSize } from '#/renderer/lib/media-store'
import { type CheckedResult, useCheckedPicture } from '#/renderer/lib/media-store/checked-objects'

export interface CheckedPictureProps {
  stored: readonly PictureSize[]
  /** The attribute `sizes` of an `<img>` that would show it. */
  sizes: string
  /** Of a story: when it expires. */
  until?: string | undefined
  children: (result: CheckedResult) => ReactNode
}

/** Reads a picture that the server has not checked, and checks it. Not in the first load: the embedded server checks them itself. */
export function CheckedPicture({ stored, sizes, until, children }: CheckedPictureProps) {
  return children(useCheckedPicture(stored, sizes, until))
}
