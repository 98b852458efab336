/** The sound of the demo videos: filtered, seeded noise that fades at both ends, so that the loop has no click. */
window.soundtrack = (() => {
  const RATE = 48_000

  /** Pseudo-random numbers from -1 to 1 (mulberry32). */
  function random(seed) {
    let state = seed
    return () => {
      state = (state + 0x6d2b79f5) | 0
      let t = Math.imul(state ^ (state >>> 15), 1 | state)
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1
    }
  }

  function noise(context, seconds, seed) {
    const buffer = context.createBuffer(1, seconds * RATE, RATE)
    const next = random(seed)
    const samples = buffer.getChannelData(0)
    for (let i = 0; i < samples.length; i += 1) samples[i] = next()
    const source = context.createBufferSource()
    source.buffer = buffer
    return source
  }

  function chain(context, ...nodes) {
    for (const [i, node] of nodes.entries()) node.connect(nodes[i + 1] ?? context.destination)
    return nodes[0]
  }

  const filter = (context, type, frequency, Q = 0.7) => new BiquadFilterNode(context, { type, frequency, Q })
  const gain = (context, value) => new GainNode(context, { gain: value })

  /** A train wheel crossing a rail joint. */
  function knock(context, at, loudness, seed) {
    const envelope = gain(context, 0)
    envelope.gain.setValueAtTime(0, at)
    envelope.gain.linearRampToValueAtTime(loudness, at + 0.006)
    envelope.gain.exponentialRampToValueAtTime(0.001, at + 0.16)
    chain(context, noise(context, 0.2, seed), filter(context, 'bandpass', 190, 1.6), envelope).start(at)
  }

  /** A small bird, far away: a tone that falls and rises. */
  function chirp(context, at, frequency) {
    const envelope = gain(context, 0)
    envelope.gain.setValueAtTime(0, at)
    envelope.gain.linearRampToValueAtTime(0.035, at + 0.03)
    envelope.gain.exponentialRampToValueAtTime(0.0005, at + 0.19)
    const tone = new OscillatorNode(context, { frequency })
    tone.frequency.setValueAtTime(frequency, at)
    tone.frequency.exponentialRampToValueAtTime(frequency * 0.72, at + 0.07)
    tone.frequency.exponentialRampToValueAtTime(frequency * 1.12, at + 0.18)
    chain(context, tone, envelope).start(at)
    tone.stop(at + 0.2)
  }

  /** A small wave at the shore, for two seconds. */
  function lap(context, at, loudness, seed) {
    const envelope = gain(context, 0)
    envelope.gain.setValueAtTime(0, at)
    envelope.gain.linearRampToValueAtTime(loudness, at + 0.7)
    envelope.gain.linearRampToValueAtTime(0, at + 2)
    chain(context, noise(context, 2, seed), filter(context, 'bandpass', 620, 0.8), envelope).start(at)
  }

  const SOUNDS = {
    lake: (context, seconds) => {
      chain(context, noise(context, seconds, 3), filter(context, 'lowpass', 240), gain(context, 0.09)).start()
      for (let at = 0.2, i = 0; at < seconds - 2; at += 1.15 + 0.3 * (i % 3), i += 1)
        lap(context, at, i % 2 === 0 ? 0.16 : 0.1, 30 + i)
      for (const at of [1.6, 1.85, 2.1, 5.2, 5.42, 7.1]) chirp(context, at, 3_300 + 170 * Math.sin(at * 9))
    },
    train: (context, seconds) => {
      chain(context, noise(context, seconds, 1), filter(context, 'lowpass', 140), gain(context, 0.5)).start()
      chain(
        context,
        noise(context, seconds, 2),
        filter(context, 'bandpass', 900, 0.5),
        gain(context, 0.03),
      ).start()
      for (let at = 0.3; at < seconds - 0.8; at += 2)
        for (const [i, later] of [0, 0.17, 0.62, 0.79].entries())
          knock(context, at + later, i % 2 === 0 ? 0.9 : 0.6, 10 + i)
    },
  }

  return async (name, seconds) => {
    const context = new OfflineAudioContext(1, seconds * RATE, RATE)
    SOUNDS[name](context, seconds)
    const rendered = await context.startRendering()
    const samples = rendered.getChannelData(0)
    const fade = RATE / 20
    for (let i = 0; i < fade; i += 1) {
      samples[i] *= i / fade
      samples[samples.length - 1 - i] *= i / fade
    }
    return rendered
  }
})()
