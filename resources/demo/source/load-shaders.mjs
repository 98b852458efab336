import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const here = import.meta.dirname
const INCLUDE = /^#include (?:"([\w-]+\.glsl)"|SCENE)$/gm

/** Resolves the `#include` lines of a shader, each file once; `SCENE` is the file of the scene. */
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

/** The four shaders of a picture: its scene, and the three passes that process it. */
export async function loadShaders(scene) {
  const [exposed, clean, blur, film] = await Promise.all([
    assemble(join(here, 'shaders', 'exposure.glsl'), join(here, 'scenes', `${scene}.glsl`)),
    ...['clean', 'blur', 'film'].map((name) => assemble(join(here, 'shaders', `${name}.glsl`))),
  ])
  return { scene: exposed, clean, blur, film }
}
