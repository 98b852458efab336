// One bare tree in a white field, snow falling.

#include "tree.glsl"

vec3 photo(vec2 uv) {
  float rise = -0.42 + 0.10 * sin(uv.x * 0.9 + 0.4) + 0.008 * fbm(uv * vec2(3.0, 1.0), 4);
  vec3 air = mix(vec3(0.70, 0.74, 0.79), vec3(0.86, 0.87, 0.88), smoothstep(0.9, -0.4, uv.y));
  vec3 c = air;
  float wood = rise + 0.075 + 0.05 * fbm(vec2(uv.x * 4.0, 3.0), 5) + 0.012 * noise(vec2(uv.x * 70.0, 1.0));
  c = mix(c, vec3(0.50, 0.54, 0.60), 0.45 * smoothstep(0.004, -0.006, uv.y - wood));
  float field = smoothstep(0.002, -0.002, uv.y - rise);
  float drift = fbm(vec2(uv.x * 1.3, (uv.y - rise) * 6.0), 5);
  vec3 snow = mix(vec3(0.80, 0.83, 0.87), vec3(0.93), drift) * (1.0 - 0.10 * smoothstep(-0.4, -1.0, uv.y));
  c = mix(c, snow, field);
  vec2 root = vec2(0.46, -0.40);
  vec2 t = uv - root;
  float d = tree(t * 1.06);
  float bark = 0.035 + 0.05 * noise(t * vec2(60.0, 12.0));
  c = mix(c, vec3(bark, bark, bark * 1.1), smoothstep(0.003, -0.001, d) * 0.94);
  float hollow = exp(-pow(length((uv - root) * vec2(4.2, 22.0)), 2.0) * 0.8);
  c = mix(c, vec3(0.55, 0.60, 0.68), hollow * 0.5 * field);
  for (int i = 0; i < 9; i++) {
    float x = -1.55 + float(i) * 0.21, foot = -0.54 + 0.018 * float(i), tall = 0.13 - 0.007 * float(i);
    float post = box2(uv - vec2(x + 0.02 * hash1(float(i)), foot + tall * 0.5), vec2(0.011 - 0.0006 * float(i), tall * 0.5));
    c = mix(c, vec3(0.07, 0.065, 0.07), smoothstep(0.003, -0.002, post));
  }
  float wire = min(abs(uv.y - (-0.45 + 0.06 * (uv.x + 1.55)) - 0.008 * sin(uv.x * 30.0)), 1.0);
  c = mix(c, vec3(0.2), smoothstep(0.0022, 0.0008, wire) * step(uv.x, 0.14) * 0.6);
  for (int k = 0; k < 5; k++) {
    float size = 6.0 + 7.0 * float(5 - k);
    vec2 q = turn(0.22) * uv * size + float(k) * 13.0, cell = floor(q);
    vec2 at = hash22(cell) * 0.6 + 0.2;
    float flake = length((fract(q) - at) * vec2(1.0, 0.72));
    float r = 0.07 + 0.06 * hash2(cell + 9.0);
    c = mix(c, vec3(0.97), smoothstep(r, r * 0.3, flake) * step(0.45, hash2(cell + 5.0)) * (0.35 + 0.1 * float(k)));
  }
  return c;
}
