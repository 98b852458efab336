// Snow mountains upside down in a lake without wind.
#include "land.glsl"

const vec3 SUN = vec3(-0.62, 0.42, 0.28);

float ground(vec2 p, int detail) {
  float shore = smoothstep(4.5, 10.5, p.y + 1.2 * sin(p.x * 0.6) + 0.9 * noise(p * 0.8));
  float peak = exp(-dot(p - vec2(1.4, 12.5), p - vec2(1.4, 12.5)) * 0.045);
  return shore * (0.35 + 2.1 * eroded(p * 0.34 + vec2(3.1, 8.7), detail) * (0.4 + 0.9 * peak)) - 0.06;
}

vec3 clouds(vec3 d) {
  vec3 c = heaven(d, normalize(SUN), vec3(0.10, 0.26, 0.55), vec3(0.62, 0.74, 0.86), vec3(0.9, 0.8, 0.6));
  vec2 q = d.xz / (d.y + 0.12);
  float veil = smoothstep(0.48, 0.95, fbm(q * vec2(0.5, 1.1) + 0.6 * fbm(q * 1.6, 4) + 7.0, 6));
  return mix(c, vec3(1.15, 1.08, 1.02), veil * 0.75 * smoothstep(0.0, 0.2, d.y));
}

/** The land and the sky along a ray; `t` is the distance of the land, or negative. */
vec3 view(Ray ray, float t) {
  vec3 sun = normalize(SUN);
  if (t < 0.0) return clouds(ray.along);
  vec3 p = ray.from + t * ray.along;
  vec3 n = groundNormal(p.xz, 0.0012 * t, 11);
  float lit = max(dot(n, sun), 0.0) * sunlit(p + n * 0.01, sun, 0.03);
  vec3 c = mix(vec3(0.13, 0.115, 0.10), vec3(0.22, 0.20, 0.18), noise(p.xz * 9.0));
  float wood = smoothstep(0.75, 0.35, p.y + 0.3 * noise(p.xz * 3.0)) * smoothstep(0.45, 0.75, n.y);
  c = mix(c, vec3(0.018, 0.035, 0.02) * (0.5 + noise(p.xz * 40.0)), wood);
  float snow = smoothstep(0.85, 1.5, p.y + 0.5 * (fbm(p.xz * 4.0, 4) - 0.5)) * smoothstep(0.5, 0.72, n.y);
  c = mix(c, vec3(0.82, 0.85, 0.9), snow);
  c *= lit * vec3(3.6, 3.2, 2.7) + vec3(0.26, 0.36, 0.52) * (0.6 + 0.4 * n.y);
  float mist = 0.9 * exp(-max(p.y, 0.0) * 9.0) * smoothstep(0.35, 0.7, fbm(vec2(p.x * 0.9, p.y * 6.0), 4));
  return mix(mix(c, vec3(0.52, 0.63, 0.76), 1.0 - exp(-t * 0.028)), vec3(0.75, 0.8, 0.86), mist);
}

vec3 photo(vec2 uv) {
  Ray ray = shoot(uv, vec3(0.0, 0.34, 0.0), vec3(0.7, 0.62, 6.0), 2.0, 0.0, 1.0);
  float water = -ray.from.y / ray.along.y, land = landing(ray, 3.0, 24.0, 0.45);
  // The bed of the lake is below its surface, as far as the shore.
  if (water < 0.0 || (land > 0.0 && land < water)) return view(ray, land);
  vec3 p = ray.from + water * ray.along;
  vec2 ripple = 0.006 * (vec2(noise(p.xz * vec2(7, 26)), noise(p.xz * vec2(9, 31) + 4.0)) - 0.5);
  vec3 n = normalize(vec3(ripple.x, 1.0, ripple.y * 2.2));
  vec3 back = reflect(ray.along, n);
  back.y = abs(back.y);
  float fresnel = 0.03 + 0.97 * pow(1.0 - max(dot(-ray.along, n), 0.0), 5.0);
  vec2 drift = p.xz + 0.4 * fbm(p.xz * 5.0, 3);
  vec3 pebble = cells(drift * 9.0), stone = cells(drift * 4.0 + 3.0);
  vec3 bed = vec3(0.15, 0.15, 0.11) * mix(0.3 + pebble.z, 0.2 + stone.z, step(stone.x, 0.33)) * exp(-water * 0.9);
  return mix(bed * (1.0 - 0.7 * smoothstep(0.3, 0.7, pebble.x)) + vec3(0.004, 0.02, 0.03), view(Ray(p, back), landing(Ray(p, back), 0.02, 24.0, 0.45)) * vec3(0.86, 0.93, 0.97), clamp(fresnel * 1.25 + 0.12, 0.0, 1.0));
}
