// Old posts in a long-exposed sea: the water is mist, the clouds have run.
#define REACH 90.0
#define BOUNCES 2
#include "path.glsl"

vec2 map(vec3 p) {
  vec2 near = vec2(p.y, 1.0);
  float z = clamp(round((p.z - 2.0) / 1.15), 0.0, 13.0);
  vec3 q = p - vec3(0.9 - 0.17 * z, 0.0, 2.0 + 1.15 * z);
  float h = 0.30 + 0.34 * hash1(z * 3.3 + 1.0);
  q.xz += vec2(0.16, 0.1) * (vec2(hash1(z), hash1(z + 50.0)) - 0.5) + q.y * 0.14 * (hash1(z + 9.0) - 0.5);
  float rough = 0.012 * noise(vec3(q.x * 30.0, q.y * 4.0, q.z * 30.0));
  float post = cylinder(q, 0.115 + 0.03 * hash1(z + 4.0) - 0.02 * q.y, h, 0.03) + rough;
  near = nearer(near, vec2(post * 0.8, 2.0));
  float rock = ellipsoid(p - vec3(-5.4, -0.15, 15.0), vec3(1.9, 0.5, 0.8)) + 0.22 * fbm(p * 2.2, 4);
  return nearer(near, vec2(rock * 0.6, 3.0));
}

Matter matter(float name, vec3 p, inout vec3 n) {
  if (name < 1.5) {
    n = vec3(0, 1, 0);
    float veil = fbm(vec2(p.x * 0.35, p.z * 0.8) + 0.5 * noise(p.xz), 4);
    return Matter(vec3(0.50 + 0.22 * veil), 0.12, 0.30, 0.0, vec3(0), 0.0);
  }
  float wet = smoothstep(0.35, 0.05, p.y);
  vec3 wood = vec3(0.10, 0.095, 0.09) * (0.5 + noise(vec3(p.x * 40.0, p.y * 5.0, p.z * 40.0)));
  return Matter(mix(wood, wood * 0.3, wet), 0.04 * wet, 0.3, 0.0, vec3(0), 0.0);
}

vec3 sky(vec3 d) {
  vec2 run = vec2(atan(d.x - 0.12, d.z) * 3.0, d.y / (abs(d.z) + 0.2));
  float streaks = fbm(vec2(run.x * 1.3 / (0.45 + run.y), run.y * 1.6 + 0.3 * run.x), 5);
  float light = 0.72 + 0.25 * exp(-12.0 * max(d.y, 0.0)) - 0.55 * smoothstep(0.02, 0.6, d.y);
  light *= 0.72 + 0.5 * smoothstep(0.2, 0.75, streaks);
  return vec3(light) * (1.0 - 0.15 * smoothstep(0.012, 0.0, d.y));
}

float gobo(vec3 p, vec3 to) { return 1.0; }

vec3 photo(vec2 uv) {
  Ray ray = shoot(uv, vec3(-0.6, 1.35, -1.2), vec3(0.0, 0.72, 5.0), 1.9, 0.004, 4.5);
  vec3 c = trace(ray, Key(normalize(vec3(-0.4, 0.8, 0.3)), vec3(0.15), 0.5));
  float water = -ray.from.y / min(ray.along.y, -0.001);
  float far = smoothstep(7.0, 40.0, water) * step(ray.along.y, 0.0);
  return mix(c, vec3(0.62), far * 0.7 * exp(-abs(ray.along.y) * 10.0));
}
