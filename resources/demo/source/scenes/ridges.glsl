// Mountain ridges one behind the other, early haze between them.
#include "land.glsl"

float ground(vec2 p, int detail) {
  float rise = smoothstep(0.0, 9.0, p.y) * 0.9 + 0.1;
  return 1.75 * eroded(p * 0.42 + vec2(11.3, 4.2), detail) * rise - 0.55 + 0.05 * p.y;
}

/** `uParams.x` multiplies the focal length, `uParams.y` raises the view. */
vec3 photo(vec2 uv) {
  vec3 sun = normalize(vec3(-0.16, 0.15, 1.0));
  Ray ray = shoot(uv, vec3(0.0, 1.95, -2.6), vec3(0.15, 1.62 + uParams.y, 4.0), 2.6 * max(uParams.x, 1.0), 0.0, 1.0);
  vec3 sky = heaven(ray.along, sun, vec3(0.16, 0.27, 0.52), vec3(0.92, 0.52, 0.36), vec3(1.0, 0.5, 0.25));
  float t = landing(ray, 0.4, 26.0, 0.4);
  if (t < 0.0) return sky;
  vec3 p = ray.from + t * ray.along;
  vec3 n = groundNormal(p.xz, 0.0016 * t, 10);
  float lit = max(dot(n, sun), 0.0) * sunlit(p, sun, 0.02);
  vec3 rock = mix(vec3(0.09, 0.08, 0.075), vec3(0.05, 0.075, 0.035), smoothstep(0.75, 0.9, n.y) * smoothstep(1.5, 0.6, p.y));
  rock *= 0.7 + 0.6 * noise(p.xz * 22.0);
  vec3 c = rock * (lit * vec3(5.5, 3.3, 1.9) + vec3(0.30, 0.38, 0.55) * (0.5 + 0.5 * n.y));
  float depth = 1.0 - exp(-pow(t * 0.060, 1.9) * exp(-max(p.y - 0.9, 0.0) * 0.5));
  float valley = 1.0 - exp(-t * 0.05 * exp(-max(p.y - 0.1, 0.0) * 2.6));
  vec3 haze = mix(vec3(0.24, 0.31, 0.50), vec3(0.98, 0.52, 0.34), 0.25 + 0.75 * pow(max(dot(ray.along, sun), 0.0), 5.0));
  return mix(c, haze, clamp(depth + valley * 0.5, 0.0, 1.0));
}
