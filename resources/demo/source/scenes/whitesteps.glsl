// Whitewashed steps between two walls, a blue door at the top, pots in the sun.
#define REACH 40.0
#define BOUNCES 1
#define STEPS 80
#include "path.glsl"

vec2 map(vec3 p) {
  float k = clamp(floor(p.z / 0.42), 0.0, 13.0), wave = 0.03 * sin(p.x * 3.0 + k);
  float stair = p.y - 0.2 * k - wave;
  if (k < 12.5) stair = min(stair, length(max(vec2(0.42 * (k + 1.0) - p.z, stair - 0.2), 0.0)));
  vec2 near = vec2(stair * 0.75, 1.0);
  float left = p.x + 1.15 + 0.04 * sin(p.z * 1.3) + 0.02 * sin(p.y * 2.1), right = 1.35 - p.x - 0.05 * sin(p.z * 0.9 + 1.0);
  left = max(left, p.y - 4.4);
  right = max(right, p.y - 3.3);
  near = nearer(near, vec2(min(left, right) * 0.9, 2.0));
  near = nearer(near, vec2(max(6.3 - p.z, p.y - 6.0), 3.0));
  for (int i = 0; i < 4; i++) {
    float j = float(i), step_ = 1.0 + 2.0 * j + 0.5 * mod(j, 2.0);
    step_ = floor(step_);
    vec3 q = p - vec3(i % 2 == 0 ? -0.82 : 0.98, 0.2 * step_ + 0.19, 0.42 * step_ + 0.22);
    float pot = max(length(q.xz) - 0.15 - 0.10 * q.y, abs(q.y) - 0.18);
    float bush = sphere(q - vec3(0.0, 0.36, 0.0), 0.25) + 0.12 * (noise(q * 11.0 + j * 5.0) - 0.5) + 0.06 * (noise(q * 27.0) - 0.5);
    near = nearer(near, vec2(pot * 0.9, 4.0));
    near = nearer(near, vec2(bush * 0.6, 5.0 + 0.1 * j));
  }
  return near;
}

Matter matter(float name, vec3 p, inout vec3 n) {
  vec3 lime = vec3(0.84, 0.83, 0.80) * (0.90 + 0.12 * fbm(p * 2.2, 5));
  n = name < 3.5 ? normalize(n + 0.16 * (vec3(noise(p * 9.0), noise(p * 9.0 + 4.0), noise(p * 9.0 + 8.0)) - 0.5)) : n;
  if (name < 1.5) return Matter(n.y > 0.5 ? vec3(0.62, 0.58, 0.52) * (0.8 + 0.3 * fbm(p.xz * 6.0, 4)) : lime, 0.0, 0.0, 0.0, vec3(0), 0.0);
  if (name < 2.5) return Matter(lime * mix(1.0, 0.86, smoothstep(0.5, 0.7, fbm(vec3(p.zx * 3.0, p.y * 0.7), 5))), 0.0, 0.0, 0.0, vec3(0), 0.0);
  if (name < 3.5) {
    vec2 d = p.xy - vec2(0.08, 3.45);
    float door = box2(d, vec2(0.42, 0.88));
    float arch = min(door, length(d - vec2(0.0, 0.88)) - 0.42);
    if (arch > 0.0 && arch < 0.10) return Matter(vec3(0.70, 0.62, 0.48), 0.0, 0.0, 0.0, vec3(0), 0.0);
    if (arch > 0.0) return Matter(lime, 0.0, 0.0, 0.0, vec3(0), 0.0);
    float plank = abs(fract(d.x * 6.0) - 0.5);
    float knob = length(d - vec2(0.28, -0.15)) - 0.045;
    vec3 blue = vec3(0.02, 0.13, 0.42) * (0.7 + 0.6 * noise(vec2(d.x * 40.0, d.y * 3.0))) * (1.0 - 0.6 * smoothstep(0.44, 0.5, plank));
    return Matter(knob < 0.0 ? vec3(0.6, 0.45, 0.15) : blue, 0.03, 0.3, 0.0, vec3(0), 0.0);
  }
  if (name < 4.5) return Matter(vec3(0.48, 0.17, 0.08) * (0.8 + 0.3 * noise(p * 12.0)), 0.0, 0.0, 0.0, vec3(0), 0.0);
  float flower = smoothstep(0.60, 0.68, noise(p * 15.0));
  vec3 petal = mix(vec3(0.72, 0.03, 0.10), vec3(0.78, 0.12, 0.38), step(5.15, name));
  return Matter(mix(vec3(0.06, 0.17, 0.03) * (0.5 + noise(p * 31.0)), petal, flower), 0.0, 0.0, 0.0, vec3(0), 0.0);
}

vec3 sky(vec3 d) { return mix(vec3(0.42, 0.62, 0.92), vec3(0.05, 0.19, 0.58), clamp(d.y * 1.2, 0.0, 1.0)) * 1.15; }

float gobo(vec3 p, vec3 to) { return 1.0; }

vec3 photo(vec2 uv) {
  Ray ray = shoot(vec2(-uv.x, uv.y), vec3(0.15, 1.35, -3.9), vec3(0.0, 2.35, 6.0), 2.05, 0.0, 6.0);
  return trace(ray, Key(normalize(vec3(-0.17, 0.75, -0.62)), vec3(4.6, 4.2, 3.5), 0.010));
}
