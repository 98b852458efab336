/**
 * Runs in a page: draws and encodes the test photos. All of it is deterministic; noise comes from a seeded generator.
 * The corners of a scene are red, green, blue and yellow, in reading order.
 */
window.studio = (() => {
  const CORNERS = ['#d01c1c', '#1c9d3a', '#1c43d0', '#e0c21c']

  /** https://en.wikipedia.org/wiki/Linear_congruential_generator, the high bits of it. */
  function randomNumbers(seed) {
    let state = seed
    return () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state / 2 ** 32
    }
  }

  function noise(side, random) {
    const tile = new OffscreenCanvas(side, side)
    const pixels = new ImageData(side, side)
    for (let i = 0; i < pixels.data.length; i += 4) {
      const value = random() * 255
      pixels.data.set([value, value, value, 40], i)
    }
    tile.getContext('2d').putImageData(pixels, 0, 0)
    return tile
  }

  /** Hills of leaves under a sky with film grain on it: about as hard to encode as a landscape is. */
  function drawScene(pen, width, height, detail) {
    const random = randomNumbers(7)
    const sky = pen.createLinearGradient(0, 0, 0, height)
    sky.addColorStop(0, '#7fb2e5')
    sky.addColorStop(1, '#f2d9b8')
    pen.fillStyle = sky
    pen.fillRect(0, 0, width, height)
    for (let leaf = 0; leaf < detail; leaf++) {
      const y = height * (0.35 + 0.65 * Math.sqrt(random()))
      const size = (width / 400) * (0.5 + 3 * random())
      pen.fillStyle = `hsl(${80 + 60 * random()} ${30 + 40 * random()}% ${15 + 45 * random()}%)`
      pen.beginPath()
      pen.ellipse(random() * width, y, size, size * 0.4, random() * Math.PI, 0, 2 * Math.PI)
      pen.fill()
    }
    pen.fillStyle = pen.createPattern(noise(512, random), 'repeat')
    pen.fillRect(0, 0, width, height)
    CORNERS.forEach((colour, index) => {
      pen.fillStyle = colour
      pen.fillRect(index % 2 ? width * 0.75 : 0, index > 1 ? height * 0.75 : 0, width / 4, height / 4)
    })
  }

  /** What a viewer does to stored pixels of each EXIF orientation, as a matrix for a picture of 1 × 1; here inverted. */
  const STORED = {
    1: [1, 0, 0, 1, 0, 0],
    2: [-1, 0, 0, 1, 1, 0],
    3: [-1, 0, 0, -1, 1, 1],
    4: [1, 0, 0, -1, 0, 1],
    5: [0, 1, 1, 0, 0, 0],
    6: [0, -1, 1, 0, 0, 1],
    7: [0, -1, -1, 0, 1, 1],
    8: [0, 1, -1, 0, 1, 0],
  }

  async function encode(canvas, type, quality) {
    const blob = await canvas.convertToBlob({ type, quality })
    return toBase64(new Uint8Array(await blob.arrayBuffer()))
  }

  function toBase64(bytes) {
    let text = ''
    for (let from = 0; from < bytes.length; from += 0x8000) {
      text += String.fromCharCode(...bytes.subarray(from, from + 0x8000))
    }
    return btoa(text)
  }

  return {
    /** A scene of this size as seen upright, stored as this EXIF orientation says. */
    async scene({ width, height, orientation, detail, quality }) {
      const isTurned = orientation > 4
      const [storedWidth, storedHeight] = isTurned ? [height, width] : [width, height]
      const canvas = new OffscreenCanvas(storedWidth, storedHeight)
      const pen = canvas.getContext('2d', { willReadFrequently: true })
      const [a, b, c, d, e, f] = STORED[orientation]
      pen.setTransform(a, b, c, d, e * storedWidth, f * storedHeight)
      drawScene(pen, width, height, detail)
      return encode(canvas, 'image/jpeg', quality)
    },

    /** One colour, in a canvas of this colour space: what is not sRGB gets its ICC profile. */
    async plain({ width, height, colour, colorSpace = 'srgb', type, quality }) {
      const canvas = new OffscreenCanvas(width, height)
      const pen = canvas.getContext('2d', { colorSpace })
      pen.fillStyle = colour
      pen.fillRect(0, 0, width, height)
      return encode(canvas, type, quality)
    },

    /** A solid disc on nothing. */
    async disc({ side, colour, type, quality }) {
      const canvas = new OffscreenCanvas(side, side)
      const pen = canvas.getContext('2d')
      pen.fillStyle = colour
      pen.arc(side / 2, side / 2, side / 4, 0, 2 * Math.PI)
      pen.fill()
      return encode(canvas, type, quality)
    },

    /** One AV1 key frame in one colour, as an AVIF file holds it. */
    async av1({ width, height, colour }) {
      const canvas = new OffscreenCanvas(width, height)
      const pen = canvas.getContext('2d')
      pen.fillStyle = colour
      pen.fillRect(0, 0, width, height)
      const bytes = await new Promise((resolve, reject) => {
        const encoder = new VideoEncoder({
          output: (chunk) => {
            const copy = new Uint8Array(chunk.byteLength)
            chunk.copyTo(copy)
            resolve(copy)
          },
          error: reject,
        })
        encoder.configure({ codec: 'av01.0.00M.08', width, height, bitrate: 1_000_000 })
        const frame = new VideoFrame(canvas, { timestamp: 0 })
        encoder.encode(frame, { keyFrame: true })
        frame.close()
        encoder.flush().catch(reject)
      })
      return toBase64(bytes)
    },
  }
})()
