// Looking down a spiral staircase, the lamp at its foot.
#define REACH 30.0
#define STEPS 150
#include "path.glsl"

const float TURN = 2.4;

vec2 map(vec3 p) {
  float r = length(p.xz), a = atan(p.z, p.x) / 6.2832;
  float flight = p.y / TURN - a, level = floor(flight + 0.5), lift = (flight - level) * TURN;
  float stepA = 26.0, k = (fract(a * stepA) - 0.5) / stepA;
  float tread = lift + k * TURN;
  float slab = max(abs(tread + 0.10) - 0.07, max(0.95 - r, r - 2.6));
  float under = max(abs(lift + 0.20) - 0.06, max(0.95 - r, r - 2.6));
  float rail = length(vec2(r - 0.98, lift - 0.85)) - 0.045;
  float bar = max(length(vec2(r - 0.98, (fract(a * stepA * 2.0) - 0.5) / (stepA * 2.0) * 6.2832 * r)) - 0.012, abs(lift - 0.38) - 0.48);
  float wall = 2.6 - r;
  float top = p.y - 1.9;
  vec2 near = nearer(vec2(max(min(slab, under), top) * 0.55, 1.0), vec2(max(min(rail, bar), top) * 0.6, 2.0));
  near = nearer(near, vec2(wall, 3.0));
  return nearer(near, vec2(p.y + 8.2, 4.0));
}

Matter matter(float name, vec3 p, inout vec3 n) {
  if (name < 1.5) return Matter(vec3(0.62) * (0.85 + 0.2 * noise(p * 12.0)), 0.03, 0.3, 0.0, vec3(0), 0.0);
  if (name < 2.5) return Matter(vec3(0.03), 0.06, 0.2, 0.0, vec3(0), 0.0);
  if (name < 3.5) return Matter(vec3(0.55) * (0.8 + 0.3 * fbm(p * 2.0, 4)), 0.0, 0.0, 0.0, vec3(0), 0.0);
  vec2 tile = fract(p.xz * 2.4);
  float check = mod(floor(p.x * 2.4) + floor(p.z * 2.4), 2.0);
  return Matter(mix(vec3(0.05), vec3(0.7), check), 0.05, 0.1, 0.0, vec3(1.6) * smoothstep(0.7, 0.1, length(p.xz)), 0.0);
}

vec3 sky(vec3 d) { return vec3(2.6); }

float gobo(vec3 p, vec3 to) { return 1.0; }

vec3 photo(vec2 uv) {
  Ray ray = shoot(turn(0.5) * uv, vec3(0.35, 3.1, -0.2), vec3(0.02, -8.0, 0.02), 1.15, 0.0, 6.0);
  return trace(ray, Key(normalize(vec3(0.25, 1.0, 0.1)), vec3(2.4), 0.35));
}
