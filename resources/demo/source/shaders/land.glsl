// Landscapes: a height field (`ground`), walked by a ray, with sun, shadow and haze.
#include "camera.glsl"

float ground(vec2 p, int detail);

/** Noise with its slope. */
vec3 sloped(vec2 p) {
  vec2 i = floor(p), f = fract(p), u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  vec2 du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
  float a = hash2(i), b = hash2(i + vec2(1, 0)), c = hash2(i + vec2(0, 1)), d = hash2(i + 1.0);
  return vec3(a + (b - a) * u.x + (c - a) * u.y + (a - b - c + d) * u.x * u.y,
              du * (vec2(b - a, c - a) + (a - b - c + d) * u.yx));
}

/** Mountains: octaves count less where it is already steep, as if water had run there. 0..about 1.6. */
float eroded(vec2 p, int octaves) {
  float height = 0.0, weight = 1.0;
  vec2 slope = vec2(0.0);
  for (int i = 0; i < octaves; i++) {
    vec3 n = sloped(p);
    slope += n.yz;
    height += weight * n.x / (1.0 + dot(slope, slope));
    weight *= 0.5;
    p = mat2(1.6, -1.2, 1.2, 1.6) * p;
  }
  return height;
}

/** Distance at which the ray meets the ground, or -1. */
float landing(Ray ray, float from, float reach, float pace) {
  float t = from;
  for (int i = 0; i < 220; i++) {
    vec3 p = ray.from + t * ray.along;
    float above = p.y - ground(p.xz, 6);
    if (above < 0.0006 * t) return t;
    t += max(above * pace, 0.0012 * t);
    if (t > reach) break;
  }
  return -1.0;
}

vec3 groundNormal(vec2 p, float e, int detail) {
  float h = ground(p, detail);
  return normalize(vec3(h - ground(p + vec2(e, 0), detail), e, h - ground(p + vec2(0, e), detail)));
}

/** 1 in the sun, 0 in the shadow of the land. */
float sunlit(vec3 p, vec3 to, float step_) {
  float t = step_, open = 1.0;
  for (int i = 0; i < 36; i++) {
    vec3 q = p + t * to;
    float above = q.y - ground(q.xz, 5);
    open = min(open, 14.0 * above / t);
    if (open < 0.0) return 0.0;
    t += max(above * 0.6, step_);
  }
  return clamp(open, 0.0, 1.0);
}

/** A sky from horizon to zenith with a glow about the sun. */
vec3 heaven(vec3 d, vec3 sun, vec3 zenith, vec3 horizon, vec3 glow) {
  float up = max(d.y, 0.0), near = max(dot(d, sun), 0.0);
  vec3 c = mix(horizon, zenith, pow(up, 0.5));
  return c + glow * (0.25 * pow(near, 6.0) + 0.5 * pow(near, 40.0) + 6.0 * smoothstep(0.99955, 0.9998, near));
}
