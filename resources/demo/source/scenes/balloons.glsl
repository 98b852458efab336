// Balloons over a misty valley, an hour after sunrise.
#include "land.glsl"

const vec3 SUN = vec3(-0.75, 0.28, 0.45);

float ground(vec2 p, int detail) { return 1.15 * eroded(p * 0.30 + vec2(2.3, 6.1), detail) - 0.42 + 0.9 * smoothstep(9.0, 20.0, p.y); }

vec3 hazeAt(vec3 d) { return mix(vec3(0.58, 0.60, 0.70), vec3(1.10, 0.74, 0.50), 0.15 + 0.85 * pow(max(dot(d, normalize(SUN)), 0.0), 3.0)); }

/** Paints one balloon over `c`; `at` and `r` in the picture's units, `kind` chooses its cloth. */
void balloon(inout vec3 c, vec2 uv, vec2 at, float r, float kind, float fog, vec3 haze) {
  vec2 q = (uv - at) / r;
  float y = q.y, wide = y > -0.05 ? sqrt(max(0.0, 1.0 - y * y)) : mix(1.0, 0.20, pow(clamp((-0.05 - y) / 1.15, 0.0, 1.0), 1.25));
  float edge = y > -1.2 && y < 1.0 ? abs(q.x) - wide : 9.0;
  if (edge < 0.0) {
    float s = clamp(q.x / max(wide, 0.01), -1.0, 1.0), a = asin(s) / 3.1416 * 16.0, gore = floor(a + 8.0);
    vec3 n = normalize(vec3(s, y * 0.8, sqrt(max(0.0, 1.0 - s * s))));
    float lit = max(dot(n, normalize(vec3(-0.80, 0.35, 0.50))), 0.0);
    vec3 cloth;
    if (kind < 0.5) cloth = mod(gore, 4.0) < 2.0 ? vec3(0.80, 0.13, 0.05) : vec3(0.95, 0.80, 0.52);
    else if (kind < 1.5) cloth = mod(gore + floor((y + 1.2) * 5.0), 3.0) < 1.0 ? vec3(0.92, 0.62, 0.08) : vec3(0.09, 0.20, 0.42);
    else if (kind < 2.5) cloth = y > 0.35 ? vec3(0.10, 0.38, 0.36) : y > -0.1 ? vec3(0.94, 0.88, 0.74) : vec3(0.90, 0.38, 0.14);
    else cloth = mod(gore, 2.0) < 1.0 ? vec3(0.46, 0.10, 0.26) : vec3(0.92, 0.66, 0.60);
    float seam = abs(fract(a) - 0.5);
    float puff = 0.88 + 0.16 * smoothstep(0.5, 0.2, seam);
    vec3 shade = cloth * puff * (vec3(0.26, 0.29, 0.40) + vec3(1.9, 1.45, 1.0) * lit);
    shade += cloth * vec3(0.9, 0.5, 0.2) * 0.7 * exp(-5.0 * length(q - vec2(0.0, -0.9)));
    shade *= 1.0 - 0.45 * smoothstep(0.44, 0.5, seam);
    c = mix(c, mix(shade, haze, fog), smoothstep(0.0, 0.012 / r * 0.12, -edge));
  }
  vec2 b = q - vec2(0.0, -1.62);
  float ropes = y > -1.55 && y < -1.18 ? abs(abs(q.x) - mix(0.085, 0.19, (y + 1.55) / 0.37)) - 0.010 : 9.0;
  float basket = max(abs(b.x) - 0.105, abs(b.y) - 0.075);
  c = mix(c, mix(vec3(0.13, 0.07, 0.035), haze, fog), max(smoothstep(0.012, -0.012, ropes) * 0.7, smoothstep(0.012, -0.012, basket)));
  for (int i = 0; i < 2; i++) {
    float head = min(length(b - vec2(-0.04 + 0.08 * float(i), 0.155)) - 0.033, segment(b, vec2(-0.04 + 0.08 * float(i), 0.06), vec2(-0.04 + 0.08 * float(i), 0.10)) - 0.035);
    c = mix(c, mix(vec3(0.03), haze, fog), smoothstep(0.012, -0.012, head));
  }
}

vec3 photo(vec2 uv) {
  vec3 sun = normalize(SUN);
  Ray ray = shoot(vec2(-uv.x, uv.y), vec3(0.0, 1.55, -2.0), vec3(0.0, 1.42, 5.0), 1.9, 0.0, 1.0);
  vec3 haze = hazeAt(ray.along);
  vec3 c = mix(vec3(1.02, 0.78, 0.62), vec3(0.30, 0.42, 0.64), smoothstep(-0.02, 0.42, ray.along.y));
  float wisp = smoothstep(0.48, 0.8, fbm(vec2(uv.x * 0.9 + 2.0, uv.y * 4.2 + 0.5 * uv.x), 6));
  c = mix(c, vec3(1.10, 0.90, 0.80), wisp * 0.55 * smoothstep(0.0, 0.2, ray.along.y));
  float t = landing(ray, 0.5, 26.0, 0.45);
  if (t > 0.0) {
    vec3 p = ray.from + t * ray.along, n = groundNormal(p.xz, 0.0016 * t, 9);
    float lit = max(dot(n, sun), 0.0) * sunlit(p, sun, 0.03);
    float green = smoothstep(0.6, 0.9, n.y) * smoothstep(0.35, 0.6, fbm(p.xz * 2.0, 5));
    vec3 land = mix(vec3(0.30, 0.19, 0.115), vec3(0.075, 0.095, 0.03), green) * (0.75 + 0.5 * noise(p.xz * 26.0));
    land *= lit * vec3(3.9, 2.8, 1.9) + vec3(0.34, 0.38, 0.50);
    float mist = 1.0 - exp(-0.26 * t * exp(-max(p.y + 0.05, 0.0) * 3.4));
    c = mix(land, haze * 0.98, clamp(1.0 - exp(-pow(t * 0.062, 1.6)) + mist * 0.75, 0.0, 1.0));
  }
  balloon(c, uv, vec2(0.55, -0.06), 0.052, 3.0, 0.62, haze);
  balloon(c, uv, vec2(-0.58, 0.10), 0.075, 2.0, 0.52, haze);
  balloon(c, uv, vec2(0.13, 0.02), 0.040, 1.0, 0.70, haze);
  balloon(c, uv, vec2(0.42, 0.42), 0.160, 1.0, 0.24, haze);
  balloon(c, uv, vec2(-0.24, 0.36), 0.300, 0.0, 0.05, haze);
  return c;
}
