/**
 * Runs in a page: draws and encodes the test photos, with seeded noise so that they are deterministic. The corners of a scene
 * are red, green, blue and yellow, in reading order.
 */
window.photoGenerator = (() => {
  const CORNERS = ['#d01c1c', '#1c9d3a', '#1c43d0', '#e0c21c']

  /** The high bits of https://en.wikipedia.org/wiki/Linear_congruential_generator. */
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

  /** Leaves under a grainy sky: about as hard to encode as a real landscape. */
  function drawScene(context, width, height, detail) {
    const random = randomNumbers(7)
    const sky = context.createLinearGradient(0, 0, 0, height)
    sky.addColorStop(0, '#7fb2e5')
    sky.addColorStop(1, '#f2d9b8')
    context.fillStyle = sky
    context.fillRect(0, 0, width, height)
    for (let leaf = 0; leaf < detail; leaf++) {
      const y = height * (0.35 + 0.65 * Math.sqrt(random()))
      const size = (width / 400) * (0.5 + 3 * random())
      context.fillStyle = `hsl(${80 + 60 * random()} ${30 + 40 * random()}% ${15 + 45 * random()}%)`
      context.beginPath()
      context.ellipse(random() * width, y, size, size * 0.4, random() * Math.PI, 0, 2 * Math.PI)
      context.fill()
    }
    context.fillStyle = context.createPattern(noise(512, random), 'repeat')
    context.fillRect(0, 0, width, height)
    CORNERS.forEach((colour, index) => {
      context.fillStyle = colour
      context.fillRect(index % 2 ? width * 0.75 : 0, index > 1 ? height * 0.75 : 0, width / 4, height / 4)
    })
  }

  /** For each EXIF orientation, the transform from upright to stored pixels, for a 1 × 1 image. */
  const STORED_TRANSFORMS = {
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
    /** A JPEG of a scene, stored for an EXIF orientation; `width` and `height` are those of the upright picture. */
    async scene({ width, height, orientation, detail, quality }) {
      const isRotated = orientation > 4
      const [storedWidth, storedHeight] = isRotated ? [height, width] : [width, height]
      const canvas = new OffscreenCanvas(storedWidth, storedHeight)
      const context = canvas.getContext('2d', { willReadFrequently: true })
      const [a, b, c, d, e, f] = STORED_TRANSFORMS[orientation]
      context.setTransform(a, b, c, d, e * storedWidth, f * storedHeight)
      drawScene(context, width, height, detail)
      return encode(canvas, 'image/jpeg', quality)
    },

    /** A plain image. Chromium embeds an ICC profile unless the colour space is sRGB. */
    async plain({ width, height, colour, colorSpace = 'srgb', type, quality }) {
      const canvas = new OffscreenCanvas(width, height)
      const context = canvas.getContext('2d', { colorSpace })
      context.fillStyle = colour
      context.fillRect(0, 0, width, height)
      return encode(canvas, type, quality)
    },

    /** A disc on a transparent background. */
    async disc({ side, colour, type, quality }) {
      const canvas = new OffscreenCanvas(side, side)
      const context = canvas.getContext('2d')
      context.fillStyle = colour
      context.arc(side / 2, side / 2, side / 4, 0, 2 * Math.PI)
      context.fill()
      return encode(canvas, type, quality)
    },

    /** One AV1 key frame in one colour, as an AVIF file holds it. */
    async av1({ width, height, colour }) {
      const canvas = new OffscreenCanvas(width, height)
      const context = canvas.getContext('2d')
      context.fillStyle = colour
      context.fillRect(0, 0, width, height)
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
