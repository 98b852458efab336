// Headlights and tail lights drawn out along a curve of motorway, a bridge and a city behind.

vec3 photo(vec2 uv) {
  float horizon = 0.18;
  vec3 c = mix(vec3(0.30, 0.15, 0.16), vec3(0.022, 0.035, 0.085), smoothstep(horizon - 0.05, 0.95, uv.y));
  c = mix(c, vec3(0.12, 0.075, 0.11), 0.6 * smoothstep(0.45, 0.8, fbm(vec2(uv.x * 0.8, uv.y * 3.5) + 2.0, 5)));
  for (int k = 0; k < 3; k++) {
    float cellW = 0.06 + 0.03 * float(k), cell = floor((uv.x + float(k)) / cellW), id = hash2(vec2(cell, float(k)));
    float top = horizon + (0.07 + 0.26 * id * id + 0.10 * exp(-pow(uv.x + 0.5, 2.0) * 4.0)) * (1.0 - 0.22 * float(k));
    if (uv.y < top) {
      vec3 tower = mix(vec3(0.060, 0.050, 0.080), vec3(0.012, 0.014, 0.024), float(k) / 2.0);
      vec2 w = vec2(uv.x / 0.0085, uv.y / 0.0125);
      float lit = step(0.66, hash2(floor(w) + float(k) * 9.0)) * step(0.25, fract(w.x)) * step(0.35, fract(w.y));
      c = tower + mix(vec3(1.0, 0.62, 0.28), vec3(0.75, 0.85, 1.0), step(0.8, hash2(floor(w) + 5.0))) * lit * 0.55;
    }
  }
  float depth = horizon - uv.y;
  if (depth > 0.0) {
    float z = 0.55 / (depth + 0.012);
    float x = uv.x * z * 0.62 - 0.030 * z * z * 0.6 + 0.35 * z * 0.9 - 0.6;
    vec3 road = vec3(0.028, 0.025, 0.032) * (0.7 + 0.6 * noise(vec2(x * 60.0, z * 20.0)));
    float on = smoothstep(3.55, 3.5, abs(x));
    vec3 land = vec3(0.008, 0.009, 0.012) + vec3(0.05, 0.03, 0.012) * step(0.955, hash2(floor(vec2(x * 2.2, z * 6.0)))) ;
    c = mix(land, road, on);
    c += vec3(0.35) * on * smoothstep(0.035, 0.015, abs(abs(x) - 3.25)) * 0.5;
    c += vec3(0.25) * on * smoothstep(0.03, 0.01, abs(abs(abs(x) - 1.75) - 0.0)) * step(0.5, fract(log(z) * 9.0)) * 0.5;
    float rail = smoothstep(0.12, 0.06, abs(x));
    c = mix(c, vec3(0.07, 0.065, 0.07), rail);
    vec3 glow = vec3(0.0);
    for (int i = 0; i < 34; i++) {
      float k = float(i), side = i % 2 == 0 ? -1.0 : 1.0, lane = hash1(k * 3.7) > 0.45 ? 0.95 : 2.5;
      float path = side * (lane + 0.42 * (hash1(k * 5.1) - 0.5)) + 0.05 * sin(z * 0.8 + k);
      float pair = hash1(k * 8.8) > 0.5 ? 0.26 : -0.26;
      float lift = (0.28 + 0.25 * hash1(k * 2.2)) * 0.0;
      float d = abs(x - path - pair - lift);
      float from = -0.2 + 9.0 * hash1(k * 6.1) * step(0.7, hash1(k * 1.9)), till = hash1(k * 7.3) > 0.75 ? 3.0 + 6.0 * hash1(k) : 60.0;
      float span = smoothstep(from, from + 0.1, z) * smoothstep(till, till - 0.3, z);
      vec3 tint = side < 0.0 ? mix(vec3(1.0, 0.86, 0.62), vec3(0.85, 0.92, 1.0), hash1(k * 4.0)) : vec3(1.0, 0.09, 0.035);
      float thin = 0.020 + 0.010 * hash1(k * 9.9);
      glow += tint * span * (0.95 * smoothstep(thin + 0.008 * z, thin * 0.2, d) + 0.055 / (1.0 + d * d * 160.0)) * (0.45 + 0.8 * hash1(k * 3.3));
    }
    c += glow * on * 1.5;
    c = mix(c, vec3(0.30, 0.15, 0.10), smoothstep(8.0, 45.0, z) * 0.6);
  }
  for (int i = 0; i < 7; i++) {
    float z = 1.3 * pow(1.55, float(i)), y0 = horizon - 0.55 / z + 0.012;
    float x0 = (0.030 * z * z * 0.6 - 0.35 * z * 0.9 + 0.6 + 4.1) / (z * 0.62), tall = 0.95 / z;
    vec2 q = uv - vec2(x0, y0);
    float pole = min(box2(q - vec2(0.0, tall * 0.5), vec2(0.006 / z + 0.0012, tall * 0.5)), segment(q, vec2(0.0, tall), vec2(-0.26 / z, tall * 1.05)) - 0.005 / z);
    c = mix(c, vec3(0.012), smoothstep(0.002, -0.002, pole));
    float bulb = length(q - vec2(-0.26 / z, tall * 1.04));
    c += vec3(1.0, 0.58, 0.22) * (2.8 * smoothstep(0.024 / z, 0.012 / z, bulb) + 0.0035 / (bulb * bulb * z + 0.006));
  }
  return c * 1.25;
}
