// A dune's crest in evening sun: one side lit, one side dark, ripples on both, a few steps along the edge.
#include "land.glsl"

float crest(vec2 p) {
  float wind = p.x * 0.55 + 0.55 * sin(p.y * 0.42) + 0.35 * sin(p.y * 0.19 + 1.0) + 0.25 * noise(p * 0.35);
  float f = fract(wind * 0.34), ramp = f < 0.68 ? smoothstep(0.0, 1.0, f / 0.68) * 0.94 + 0.06 * f : 1.0 - (f - 0.68) / 0.32;
  return ramp;
}

float ground(vec2 p, int detail) {
  float h = 1.15 * crest(p) * (0.75 + 0.5 * noise(p * 0.16 + 3.0)) + 0.5 * noise(p * 0.2);
  if (detail > 6) {
    float bend = p.x * 2.0 + 2.2 * fbm(p * 0.9, 3);
    h += 0.0065 * pow(0.5 + 0.5 * sin((p.y * 2.4 + bend) * 8.5), 1.5) + 0.0012 * noise(p * 60.0);
  }
  return h;
}

vec3 photo(vec2 uv) {
  vec3 sun = normalize(vec3(-0.9, 0.30, 0.25));
  Ray ray = shoot(uv, vec3(-0.3, 2.2, -3.2), vec3(0.5, 1.0, 2.6), 1.9, 0.0, 1.0);
  vec3 sky = heaven(ray.along, sun, vec3(0.10, 0.25, 0.52), vec3(0.66, 0.66, 0.66), vec3(0.5, 0.4, 0.3));
  float t = landing(ray, 0.6, 40.0, 0.4);
  if (t < 0.0) return sky;
  vec3 p = ray.from + t * ray.along;
  vec3 n = groundNormal(p.xz, 0.002 + 0.0009 * t, 8);
  float lit = max(dot(n, sun), 0.0) * sunlit(p + vec3(0, 0.012, 0), sun, 0.03);
  vec3 sand = vec3(0.62, 0.36, 0.17) * (0.88 + 0.24 * noise(p.xz * 90.0)) * (0.9 + 0.2 * fbm(p.xz * 0.7, 3));
  vec3 c = sand * (lit * vec3(5.0, 3.9, 2.7) + vec3(0.22, 0.28, 0.42) * (0.55 + 0.45 * n.y) + vec3(0.16, 0.09, 0.05));
  return mix(c, vec3(0.74, 0.62, 0.52), 1.0 - exp(-pow(t * 0.035, 1.6)));
}
