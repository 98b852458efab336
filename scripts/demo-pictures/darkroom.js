/**
 * The darkroom: runs inside the browser page. A scene's shader is exposed into a float buffer tile by tile, freed
 * of noise, then developed (bloom, tone curve, split toning, vignette, grain) onto the canvas and encoded.
 */
window.darkroom = (() => {
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

  /** Binds textures and numbers to a program by the names of its uniforms. */
  function bind(program, uniforms) {
    activate(program)
    let unit = 0
    for (const [name, value] of Object.entries(uniforms)) {
      const place = gl.getUniformLocation(program, name)
      if (place === null) continue
      if (value.texture) {
        gl.activeTexture(gl.TEXTURE0 + unit)
        gl.bindTexture(gl.TEXTURE_2D, value.texture)
        gl.uniform1i(place, unit++)
      } else if (Array.isArray(value)) gl[`uniform${value.length}fv`](place, value)
      else if (name.startsWith('n')) gl.uniform1i(place, value)
      else gl.uniform1f(place, value)
    }
  }

  function draw(target, program, uniforms) {
    const { width, height } = target ?? canvas
    bind(program, uniforms)
    gl.bindFramebuffer(gl.FRAMEBUFFER, target?.frame ?? null)
    gl.viewport(0, 0, width, height)
    gl.drawArrays(gl.TRIANGLES, 0, 3)
  }

  /** Waits for the GPU, so that no single piece of work runs long enough to be taken for a hang. */
  const settle = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.FLOAT, new Float32Array(4))

  async function expose(source, width, height, { samples, seed, params }) {
    const program = link(source)
    const target = buffer(width, height)
    bind(program, { uSize: [width, height], nSeed: seed, nSamples: samples, uParams: params })
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.frame)
    gl.viewport(0, 0, width, height)
    gl.enable(gl.SCISSOR_TEST)
    for (let y = 0; y < height; y += TILE)
      for (let x = 0; x < width; x += TILE) {
        gl.scissor(x, y, TILE, TILE)
        gl.drawArrays(gl.TRIANGLES, 0, 3)
        settle()
        await new Promise((resolve) => setTimeout(resolve))
      }
    gl.disable(gl.SCISSOR_TEST)
    gl.deleteProgram(program)
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

  /** Exposes, develops and encodes one picture; gives one base64 string for each of `outputs`. */
  async function print({ shaders, width, height, scale, exposure, grade, outputs }) {
    const w = Math.round(width * scale)
    const h = Math.round(height * scale)
    const raw = await expose(shaders.scene, w, h, exposure)
    const [clean, soften, film] = [link(shaders.clean), link(shaders.blur), link(shaders.film)]
    const negative = buffer(w, h)
    draw(negative, clean, { uSource: raw, uStrength: grade.denoise })
    const near = blur(soften, negative, 2, grade.bloomRadius * 0.004 * h)
    const far = blur(soften, near, 4, grade.bloomRadius * 0.006 * h)
    canvas.width = width
    canvas.height = height
    const uniforms = Object.fromEntries(
      Object.entries(grade).map(([name, value]) => [`u${name[0].toUpperCase()}${name.slice(1)}`, value]),
    )
    draw(null, film, {
      ...uniforms,
      uNegative: negative,
      uNear: near,
      uFar: far,
      uSize: [width, height],
      uGrainSeed: exposure.seed,
    })
    release(raw, negative, near, far)
    for (const program of [clean, soften, film]) gl.deleteProgram(program)
    return outputs.map((output) => encode(canvas, output.width, output.height, output))
  }

  return { print }
})()
