import { StreamTarget, type StreamTargetChunk } from 'mediabunny'
import { eraseTimes } from '#/renderer/lib/media/video-file/mp4-boxes'

/** More than the tables of any video that is converted: they are written last, into the first piece. */
const PIECE_BYTES = 4 * 1024 * 1024

/** An MP4 that is written in pieces, of which memory has one or two. */
export interface Pieces {
  target: StreamTarget
  /** Bytes so far. */
  size: () => number
  /** The written file, without the times at which it was made. */
  file: () => Blob
}

export function createPieces(): Pieces {
  let first: Uint8Array<ArrayBuffer> = new Uint8Array()
  const others: Blob[] = []
  let size = 0
  const writable = new WritableStream<StreamTargetChunk>({
    write: ({ data, position }) => {
      const end = position + data.length
      if (position === size) {
        if (position === 0) first = data
        else others.push(new Blob([data]))
        size = end
      } else if (end <= first.length) first.set(data, position)
      else throw new RangeError('A piece was written that is not in memory any more')
    },
  })
  return {
    target: new StreamTarget(writable, { chunked: true, chunkSize: PIECE_BYTES }),
    size: () => size,
    file: () => {
      eraseTimes(new DataView(first.buffer, first.byteOffset, first.byteLength))
      return new Blob([first, ...others], { type: 'video/mp4' })
    },
  }
}
