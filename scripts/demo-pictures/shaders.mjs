import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const here = import.meta.dirname
const INCLUDE = /^#include (?:"([\w-]+\.glsl)"|SCENE)$/gm

/** A shader's text with every `#include` put in, each file once; `SCENE` stands for the scene's own file. */
async function assemble(file, scene, seen = new Set()) {
  if (seen.has(file)) return ''
  seen.add(file)
  const text = await readFile(file, 'utf8')
  let result = ''
  let end = 0
  for (const match of text.matchAll(INCLUDE)) {
    const included = match[1] === undefined ? scene : join(here, 'shaders', match[1])
    result += text.slice(end, match.index) + (await assemble(included, scene, seen))
    end = match.index + match[0].length
  }
  return result + text.slice(end)
}

/** The four shaders of a picture: its scene and the three steps of developing it. */
export async function loadShaders(scene) {
  const [exposed, clean, blur, film] = await Promise.all([
    assemble(join(here, 'shaders', 'exposure.glsl'), join(here, 'scenes', `${scene}.glsl`)),
    ...['clean', 'blur', 'film'].map((name) => assemble(join(here, 'shaders', `${name}.glsl`))),
  ])
  return { scene: exposed, clean, blur, film }
}
