/**
 * Runs inside the browser page. Renders a scene's shader into a float buffer tile by tile, removes the noise, applies the
 * film look (bloom, tone curve, split toning, vignette, grain) and encodes the result: an image as WebP, a video as MP4 or
 * WebM by WebCodecs.
 */
window.renderer = (() => {
  const TILE = 96
  const canvas = document.createElement('canvas')
  const gl = canvas.getContext('webgl2', { preserveDrawingBuffer: true, antialias: false })
  if (!gl?.getExtension('EXT_color_buffer_float')) throw new Error('WebGL 2 with float buffers is needed')
  gl.getExtension('OES_texture_float_linear')
  const activate = gl.useProgram.bind(gl)
  const corner = gl.createBuffer()
  gl.bindBuffer(gl.ARRAY_BUFFER, corner)
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW)
  gl.enableVertexAttribArray(0)
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0)
  const VERTEX =
    '#version 300 es\nlayout(location=0) in vec2 corner;\nvoid main() { gl_Position = vec4(corner, 0., 1.); }'

  function compile(type, source) {
    const shader = gl.createShader(type)
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader))
    return shader
  }

  const vertexShader = compile(gl.VERTEX_SHADER, VERTEX)

  function link(source) {
    const program = gl.createProgram()
    gl.attachShader(program, vertexShader)
    gl.attachShader(program, compile(gl.FRAGMENT_SHADER, source))
    gl.linkProgram(program)
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program))
    return program
  }

  function buffer(width, height) {
    const texture = gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, texture)
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, width, height)
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.LINEAR)
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE)
    const frame = gl.createFramebuffer()
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame)
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
    return { texture, frame, width, height }
  }

  function release(...buffers) {
    for (const { texture, frame } of buffers) {
      gl.deleteTexture(texture)
      gl.deleteFramebuffer(frame)
    }
  }

  function bind(program, uniforms) {
    activate(program)
    let unit = 0
    for (const [name, value] of Object.entries(uniforms)) {
      const location = gl.getUniformLocation(program, name)
      if (location === null) continue
      if (value.texture) {
        gl.activeTexture(gl.TEXTURE0 + unit)
        gl.bindTexture(gl.TEXTURE_2D, value.texture)
        gl.uniform1i(location, unit++)
      } else if (Array.isArray(value)) gl[`uniform${value.length}fv`](location, value)
      else if (name.startsWith('n')) gl.uniform1i(location, value)
      else gl.uniform1f(location, value)
    }
  }

  function draw(target, program, uniforms) {
    const { width, height } = target ?? canvas
    bind(program, uniforms)
    gl.bindFramebuffer(gl.FRAMEBUFFER, target?.frame ?? null)
    gl.viewport(0, 0, width, height)
    gl.drawArrays(gl.TRIANGLES, 0, 3)
  }

  /** Waits for the GPU, so that the watchdog does not mistake a long queue for a hang. */
  const waitForGpu = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.FLOAT, new Float32Array(4))

  async function expose(program, width, height, { samples, seed, params, time = 0, shutter = 0 }) {
    const target = buffer(width, height)
    bind(program, {
      uSize: [width, height],
      nSeed: seed,
      nSamples: samples,
      uParams: params,
      uTime: time,
      uShutter: shutter,
    })
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.frame)
    gl.viewport(0, 0, width, height)
    gl.enable(gl.SCISSOR_TEST)
    for (let y = 0; y < height; y += TILE)
      for (let x = 0; x < width; x += TILE) {
        gl.scissor(x, y, TILE, TILE)
        gl.drawArrays(gl.TRIANGLES, 0, 3)
        waitForGpu()
        await new Promise((resolve) => setTimeout(resolve))
      }
    gl.disable(gl.SCISSOR_TEST)
    return target
  }

  function blur(program, source, divisor, radius) {
    const width = Math.max(8, Math.round(source.width / divisor))
    const height = Math.max(8, Math.round(source.height / divisor))
    const [across, done] = [buffer(width, height), buffer(width, height)]
    const uSize = [width, height]
    draw(across, program, { uSource: source, uSize, uStep: [1 / width, 0], uRadius: radius })
    draw(done, program, { uSource: across, uSize, uStep: [0, 1 / height], uRadius: radius })
    release(across)
    return done
  }

  function encode(source, width, height, { type, maxBytes, quality }) {
    const small = document.createElement('canvas')
    small.width = width
    small.height = height
    const context = small.getContext('2d')
    context.imageSmoothingQuality = 'high'
    context.drawImage(source, 0, 0, width, height)
    for (let attempt = quality; ; attempt -= 0.04) {
      const url = small.toDataURL(type, attempt)
      const base64 = url.slice(url.indexOf(',') + 1)
      if (base64.length * 0.75 <= maxBytes || attempt < 0.2) return base64
    }
  }

  function linkAll(shaders) {
    return Object.fromEntries(Object.entries(shaders).map(([name, source]) => [name, link(source)]))
  }

  function deleteAll(programs) {
    for (const program of Object.values(programs)) gl.deleteProgram(program)
  }

  /** Draws the exposed buffer onto the canvas with the film look of `grade`, then releases the buffer. */
  function develop(programs, raw, grade, seed) {
    const { width: w, height: h } = raw
    const negative = buffer(w, h)
    draw(negative, programs.clean, { uSource: raw, uStrength: grade.denoise })
    const near = blur(programs.blur, negative, 2, grade.bloomRadius * 0.004 * h)
    const far = blur(programs.blur, near, 4, grade.bloomRadius * 0.006 * h)
    const uniforms = Object.fromEntries(
      Object.entries(grade).map(([name, value]) => [`u${name[0].toUpperCase()}${name.slice(1)}`, value]),
    )
    draw(null, programs.film, {
      ...uniforms,
      uNegative: negative,
      uNear: near,
      uFar: far,
      uSize: [canvas.width, canvas.height],
      uGrainSeed: seed,
    })
    release(raw, negative, near, far)
  }

  /** Returns a base64 string. */
  async function renderImage({ shaders, width, height, scale, exposure, grade, output }) {
    const programs = linkAll(shaders)
    canvas.width = width
    canvas.height = height
    const raw = await expose(programs.scene, Math.round(width * scale), Math.round(height * scale), exposure)
    develop(programs, raw, grade, exposure.seed)
    deleteAll(programs)
    return encode(canvas, output.width, output.height, output)
  }

  /** Renders a video with its soundtrack. Returns a base64 string. */
  async function renderVideo({ shaders, width, height, scale, exposure, grade, video }) {
    const programs = linkAll(shaders)
    canvas.width = width
    canvas.height = height
    const frames = []
    for (let frame = 0; frame < video.seconds * video.rate; frame += 1) {
      const time = frame / video.rate
      const raw = await expose(programs.scene, Math.round(width * scale), Math.round(height * scale), {
        ...exposure,
        time,
        shutter: 0.5 / video.rate,
      })
      develop(programs, raw, grade, exposure.seed)
      frames.push(await new Promise((resolve) => canvas.toBlob(resolve, 'image/png')))
    }
    deleteAll(programs)
    const bitrate = (video.maxBytes * 8) / video.seconds - video.soundBitrate
    for (let share = 0.95; ; share -= 0.08) {
      const bytes = await encodeVideo(frames, bitrate * share, video)
      if (bytes.byteLength <= video.maxBytes || share < 0.2) return base64Of(bytes)
    }
  }

  /** Encodes the frames with so many bits a second, and muxes them with the soundtrack. */
  async function encodeVideo(frames, bitrate, { seconds, rate, sound, soundBitrate, type }) {
    const {
      Output,
      Mp4OutputFormat,
      WebMOutputFormat,
      BufferTarget,
      AudioBufferSource,
      EncodedVideoPacketSource,
      EncodedPacket,
    } = window.Mediabunny
    const target = new BufferTarget()
    const format = type === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat()
    const output = new Output({ format, target })
    const pictures = new EncodedVideoPacketSource('vp9')
    const audio = new AudioBufferSource({ codec: 'opus', bitrate: soundBitrate })
    output.addVideoTrack(pictures, { frameRate: rate })
    output.addAudioTrack(audio)
    await output.start()
    await audio.add(await window.soundtrack(sound, seconds))
    audio.close()
    const chunks = []
    const encoder = new VideoEncoder({
      output: (chunk, meta) => chunks.push([chunk, meta]),
      error: (error) => {
        throw error
      },
    })
    encoder.configure({
      codec: 'vp09.00.30.08',
      width: canvas.width,
      height: canvas.height,
      framerate: rate,
      bitrate,
      bitrateMode: 'variable',
      latencyMode: 'quality',
      hardwareAcceleration: 'prefer-software',
    })
    for (const [i, blob] of frames.entries()) {
      const picture = await createImageBitmap(blob)
      const frame = new VideoFrame(picture, { timestamp: (i * 1e6) / rate, duration: 1e6 / rate })
      encoder.encode(frame, { keyFrame: i === 0 })
      frame.close()
      picture.close()
    }
    await encoder.flush()
    encoder.close()
    for (const [chunk, meta] of chunks) {
      const packet = EncodedPacket.fromEncodedChunk(chunk)
      await pictures.add(packet.clone({ data: withFrameIndex(packet.data) }), meta)
    }
    await output.finalize()
    return target.buffer
  }

  /** Servers take packets of VP9 with an index of their frames only, here of one frame with a size of four bytes: see src/shared/frame-sizes.ts. */
  function withFrameIndex(packet) {
    const mark = packet.at(-1)
    const bytes = ((mark & 7) + 1) * (((mark >> 3) & 3) + 1)
    if ((mark & 0xe0) === 0xc0 && packet.at(-2 - bytes) === mark) return packet
    const indexed = new Uint8Array(packet.length + 6).fill(0xd8)
    indexed.set(packet)
    new DataView(indexed.buffer).setUint32(packet.length + 1, packet.length, true)
    return indexed
  }

  function base64Of(bytes) {
    let text = ''
    for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte)
    return btoa(text)
  }

  /** A picture, or the frame of a video at `still` seconds, as a source for `drawImage`. */
  async function decode(content, type, still) {
    const blob = new Blob([Uint8Array.from(atob(content), (character) => character.charCodeAt(0))], { type })
    if (type.startsWith('image/')) return createImageBitmap(blob)
    const video = document.createElement('video')
    const until = (event) => new Promise((resolve) => video.addEventListener(event, resolve, { once: true }))
    video.muted = true
    video.preload = 'auto'
    const loaded = until('loadeddata')
    video.src = URL.createObjectURL(blob)
    await loaded
    const seeked = until('seeked')
    // The middle of the frame: rounding must not choose the one before.
    video.currentTime = still + 0.01
    await seeked
    return video
  }

  /** Returns one base64 string for each of `outputs`. */
  async function deriveSizes({ content, type, still, outputs }) {
    const source = await decode(content, type, still)
    return outputs.map((output) => encode(source, output.width, output.height, output))
  }

  /** The RGBA pixels of a picture, scaled down, as a base64 string. */
  async function readPixels({ content, type, width, height }) {
    const small = new OffscreenCanvas(width, height).getContext('2d')
    small.imageSmoothingQuality = 'high'
    small.drawImage(await decode(content, type, 0), 0, 0, width, height)
    return base64Of(small.getImageData(0, 0, width, height).data)
  }

  return { renderImage, renderVideo, deriveSizes, readPixels }
})()
