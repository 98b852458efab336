// A concrete front: deep windows, hard light from above, one red blind.
#define REACH 60.0
#define BOUNCES 2
#include "path.glsl"

vec2 map(vec3 p) {
  vec2 size = vec2(1.5, 1.2), cell = floor(p.xy / size + 0.5);
  vec3 q = vec3(p.xy - size * cell, p.z);
  float wall = p.z - 0.02 * step(0.5, fract(p.y / 2.4));
  float hole = box(q - vec3(0.0, 0.06, -0.15), vec3(0.54, 0.38, 0.55), 0.02);
  float front = max(wall, -hole);
  float hood = box(q - vec3(0.0, 0.50, 0.16), vec3(0.66, 0.045, 0.22), 0.01);
  float fin = box(vec3(abs(q.x) - 0.70, q.y, q.z - 0.12), vec3(0.05, 0.62, 0.18), 0.01);
  float balcony = mod(cell.x + 2.0 * cell.y, 5.0) < 1.0 ? max(box(q - vec3(0.0, -0.36, 0.26), vec3(0.62, 0.20, 0.28), 0.02), -box(q - vec3(0.0, -0.30, 0.26), vec3(0.57, 0.3, 0.24), 0.0)) : 9.0;
  vec2 near = vec2(min(min(front, hood), min(fin, balcony)), 1.0);
  near = nearer(near, vec2(p.z + 0.42, 2.0));
  float drawn = hash2(cell + 4.0), down = 0.42 - 0.75 * drawn * step(0.35, hash2(cell + 12.0));
  near = nearer(near, vec2(max(abs(q.z + 0.36) - 0.012, down - q.y), 3.0));
  return vec2(near.x * 0.9, near.y);
}

Matter matter(float name, vec3 p, inout vec3 n) {
  vec2 cell = floor(p.xy / vec2(1.5, 1.2) + 0.5);
  if (name < 1.5) {
    float board = fract(p.y * 9.0), streak = fbm(vec2(p.x * 5.0, p.y * 0.5), 5);
    vec3 c = vec3(0.56, 0.53, 0.49) * (0.80 + 0.3 * fbm(p * 1.6, 5)) * (0.95 + 0.05 * smoothstep(0.0, 0.08, board));
    return Matter(c * mix(1.0, 0.62, smoothstep(0.5, 0.75, streak)), 0.0, 0.0, 0.0, vec3(0), 0.0);
  }
  if (name < 2.5) {
    n = normalize(n + 0.01 * (vec3(noise(p.xy * 2.0), noise(p.xy * 2.0 + 4.0), 0.0) - 0.5));
    vec3 inside = vec3(0.02, 0.022, 0.026) + vec3(0.06, 0.05, 0.035) * noise(p.xy * 4.0 + cell * 3.0);
    return Matter(inside, 0.09, 0.0, 0.0, cell == vec2(-1.0, 1.0) ? vec3(0.9, 0.5, 0.2) * 0.5 : vec3(0), 0.0);
  }
  vec3 cloth = cell == vec2(1.0, -1.0) ? vec3(0.62, 0.05, 0.03) : mix(vec3(0.62, 0.58, 0.5), vec3(0.42, 0.46, 0.48), hash2(cell + 30.0));
  return Matter(cloth * (0.8 + 0.2 * smoothstep(0.1, 0.2, fract(p.y * 14.0))), 0.0, 0.0, 0.0, vec3(0), 0.0);
}

vec3 sky(vec3 d) { return vec3(0.36, 0.52, 0.85) * (0.5 + 0.5 * smoothstep(-0.3, 0.7, d.y)) + vec3(0.5) * smoothstep(0.5, 0.8, fbm(d.xy * 3.0, 4)); }

float gobo(vec3 p, vec3 to) { return 1.0; }

vec3 photo(vec2 uv) {
  Ray ray = shoot(turn(0.025) * uv, vec3(-1.8, -1.2, 15.0), vec3(0.25, 0.0, 0.0), 3.7, 0.0, 15.0);
  return trace(ray, Key(normalize(vec3(-0.62, 0.72, 0.46)), vec3(6.6, 5.9, 4.9), 0.008));
}
