// A glass of water in hard sun, half a lemon, and the light that came through.
#define STEPS 84
#define BOUNCES 5
#include "path.glsl"

vec2 map(vec3 p) {
  vec2 near = vec2(min(p.y, p.z + 3.4), 1.0);
  if (length(p - vec3(0, 0.8, 0)) > 2.6) return nearer(near, vec2(length(p - vec3(0, 0.8, 0)) - 2.4, 9.0));
  vec3 q = p - vec3(-0.45, 0.88, 0.0);
  float facets = 0.012 * cos(atan(q.z, q.x) * 12.0) * smoothstep(0.25, 0.1, q.y);
  float r = 0.46 + 0.08 * q.y;
  float outside = cylinder(q, r + facets, 0.86, 0.05) * 0.85;
  float inside = cylinder(q - vec3(0, 0.62, 0), r - 0.05, 0.62, 0.05) * 0.85;
  near = nearer(near, vec2(max(outside, -inside), 2.0));
  vec3 l = p - vec3(0.72, 0.30, 0.62);
  float lemon = blend(ellipsoid(l, vec3(0.46, 0.36, 0.36)), sphere(l - vec3(0.46, 0.0, 0.0), 0.07), 0.16) + 0.008 * noise(l * 26.0);
  near = nearer(near, vec2(lemon, 3.0));
  vec3 h = p - vec3(0.10, 0.335, 1.25);
  h.yz = turn(-0.45) * h.yz;
  h.xz = turn(0.35) * h.xz;
  float half_ = carve(sphere(h, 0.36) + 0.005 * noise(h * 26.0), -(h.z - 0.02), 0.02);
  return nearer(near, vec2(max(sphere(h, 0.36), h.z - 0.02), 4.0));
}

Matter matter(float name, vec3 p, inout vec3 n) {
  if (name < 1.5) return Matter(vec3(0.74, 0.70, 0.64) * (0.96 + 0.05 * fbm(p * 3.0, 4)), 0.0, 0.0, 0.0, vec3(0), 0.0);
  if (name < 2.5) return Matter(vec3(0.93, 0.97, 0.95), 0.04, 0.0, 1.0, vec3(0), 0.0);
  vec3 skin = vec3(0.90, 0.66, 0.05) * (0.85 + 0.2 * noise(p * 5.0));
  n = normalize(n + 0.12 * (vec3(noise(p * 48.0), noise(p * 48.0 + 7.0), noise(p * 48.0 + 13.0)) - 0.5));
  if (name < 3.5) return Matter(skin, 0.05, 0.3, 0.0, vec3(0), 0.0);
  vec3 h = p - vec3(0.10, 0.335, 1.25);
  h.yz = turn(-0.45) * h.yz;
  h.xz = turn(0.35) * h.xz;
  if (h.z < 0.012) return Matter(skin, 0.05, 0.3, 0.0, vec3(0), 0.0);
  float r = length(h.xy) / 0.36, a = atan(h.y, h.x) / 6.2832 * 9.0;
  float wedge = abs(fract(a) - 0.5) * 2.0;
  float pulp = smoothstep(0.87, 0.84, r) * smoothstep(0.95, 0.82, wedge) * smoothstep(0.07, 0.11, r);
  float cell = noise(vec2(a * 9.0, r * 7.0));
  vec3 flesh = mix(vec3(0.92, 0.86, 0.62), mix(vec3(0.86, 0.66, 0.10), vec3(0.95, 0.83, 0.32), cell), pulp);
  return Matter(mix(flesh, skin, step(0.955, r)), 0.06, 0.18, 0.0, vec3(0), 0.0);
}

vec3 sky(vec3 d) { return vec3(0.26, 0.31, 0.38) * (0.4 + 0.6 * smoothstep(-0.1, 0.8, d.y)); }

/** Leaves outside the window, and light gathered by the glass where its shadow lies. */
float gobo(vec3 p, vec3 to) {
  vec3 q = p + to * ((4.5 - p.y) / to.y);
  float leaf = smoothstep(0.30, 0.40, fbm(q.xz * 0.9 + vec2(3.0, 9.0), 3));
  float caustic = 1.0;
  if (p.y < 0.01) {
    vec2 away = normalize(-to.xz), d = p.xz - vec2(-0.45, 0.0);
    float along = dot(d, away), across = d.x * away.y - d.y * away.x;
    float bright = exp(-pow(across / (0.05 + 0.05 * abs(sin(along * 5.0))), 2.0)) * smoothstep(0.45, 0.8, along) * smoothstep(2.3, 1.2, along);
    float line = pow(1.0 - abs(sin(across * 9.0 + 1.4 * sin(along * 3.3))), 7.0) * smoothstep(0.5, 0.4, abs(across));
    caustic += 2.6 * bright + 1.3 * line * smoothstep(0.4, 0.9, along) * smoothstep(2.2, 1.4, along);
  }
  return caustic * mix(0.30, 1.0, leaf);
}

vec3 photo(vec2 uv) {
  Ray ray = shoot(uv, vec3(0.5, 2.5, 5.4), vec3(0.15, 0.62, 0.15), 2.7, 0.05, 5.2);
  return trace(ray, Key(normalize(vec3(-0.80, 0.62, 0.16)), vec3(6.0, 5.3, 4.4), 0.012));
}
