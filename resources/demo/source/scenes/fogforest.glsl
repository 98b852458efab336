// A spruce forest going up into fog.

float spruce(vec2 p, float tall, float id) {
  float y = p.y / tall;
  if (y < 0.0 || y > 1.03) return 0.0;
  float sway = 0.012 * sin(y * 7.0 + id * 20.0);
  float x = p.x / tall - sway;
  float tier = y * (20.0 + 6.0 * hash1(id)) + 1.4 * abs(x) * 14.0;
  float k = floor(tier), f = fract(tier);
  float side = x > 0.0 ? 1.0 : 0.0;
  float reach = 0.055 + 0.12 * hash1(k * 1.7 + id * 31.0 + side * 17.0) + 0.03 * noise(vec2(k * 3.1, id * 9.0));
  float width = (1.0 - y) * reach * (1.0 - 0.55 * f) * smoothstep(0.02, 0.16, y + 0.05) + 0.002;
  float needles = 0.45 + 0.9 * noise(vec2(x * 210.0, y * 300.0) + id * 40.0);
  float bough = smoothstep(width * needles + 0.006, width * needles - 0.004, abs(x));
  float trunk = smoothstep(0.007, 0.004, abs(x) - 0.005 * (1.0 - y)) * step(y, 0.97);
  return max(bough, trunk);
}

vec3 photo(vec2 uv) {
  vec2 p = uv;
  float light = exp(-2.2 * length((p - vec2(0.18, 0.75)) * vec2(1.0, 0.7)));
  vec3 fog = mix(vec3(0.30, 0.38, 0.40), vec3(1.0, 0.93, 0.80), light);
  vec3 c = fog;
  for (int k = 0; k < 8; k++) {
    float depth = float(k) / 7.0, size = mix(0.42, 1.75, depth * depth);
    float spacing = size * mix(0.16, 0.30, depth);
    float base = mix(0.12, -1.5, pow(depth, 0.8));
    vec3 wood = mix(fog, vec3(0.012, 0.024, 0.022), 0.10 + 0.88 * pow(depth, 1.3));
    float cover = 0.0;
    for (int j = -4; j <= 4; j++) {
      float cell = floor(p.x / spacing) + float(j), id = hash2(vec2(cell, float(k) * 7.0 + 2.0));
      if (id < 0.28 && k > 2) continue;
      float foot = base + 0.26 * size * (hash1(id * 77.0) - 0.5) + 0.25 * (fbm(vec2(cell * spacing * 1.2 + float(k) * 5.0, 0.5), 3) - 0.5);
      cover = max(cover, spruce(p - vec2((cell + hash1(id * 13.0)) * spacing, foot), size * (0.6 + 0.55 * hash1(id * 5.0)), id));
    }
    float hill = base + 0.28 * size * (fbm(vec2(p.x * 1.6 + float(k) * 9.0, 1.0), 5) - 0.35);
    cover = max(cover, smoothstep(0.01, -0.02, p.y - hill - 0.03 * noise(p * 60.0)));
    c = mix(c, wood, cover);
    float bank = smoothstep(0.55, -0.15, p.y - base - 0.1) * smoothstep(0.25, 0.8, fbm(vec2(p.x * 1.1 + float(k) * 3.7, p.y * 2.4), 5));
    c = mix(c, fog * 1.02, bank * (1.0 - depth) * 0.9);
  }
  return c * (0.75 + 0.35 * light);
}
